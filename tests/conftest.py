"""Settings that all tests share."""

from hypothesis import HealthCheck, settings

# Deadlines would time the machine, not the code.
settings.register_profile("kopsim", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.load_profile("kopsim")
