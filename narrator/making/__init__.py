"""What makes and measures things: voice packs, sounds, benches. Nothing that runs at a table imports it.

Heavy libraries are imported where they are used; most of them come with the extra `voices`.
"""
