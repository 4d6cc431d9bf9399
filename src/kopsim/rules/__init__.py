"""Rule sets: data files validated into frozen records, and compiled for the kernels."""

from kopsim.rules.load import DEFAULT, load_rules, read_rules, rule_ids, rules_hash
from kopsim.rules.model import Contract, Obligations, Order, RuleSet

__all__ = [
    "DEFAULT",
    "Contract",
    "Obligations",
    "Order",
    "RuleSet",
    "load_rules",
    "read_rules",
    "rule_ids",
    "rules_hash",
]
