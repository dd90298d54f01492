"""Files into models: rulesets, scenarios, records. Everything wrong is reported at once, each with file and line."""
