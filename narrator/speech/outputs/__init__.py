"""Where a line goes: a loudspeaker, pages, files, or nowhere."""
