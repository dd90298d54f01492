"""The abilities of an edition unlike all others: single characters with active, passive and special skills.

Names of roles come from the ruleset's parameters, so that house rules can cast others. What must be known of a night
while it is played (whose skill fails, where a choice really points, who looks like whom) is in `tonight`; what
happens to somebody by itself is in `passives`.
"""

from narrator.editions.detective import briefing, counting, deducing, plots, searching, settling

__all__ = ["briefing", "counting", "deducing", "plots", "searching", "settling"]
