"""The voice: lines become sound, one after the other, whatever happens to the engine or the loudspeaker."""
