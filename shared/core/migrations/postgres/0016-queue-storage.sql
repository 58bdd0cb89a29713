-- Written by hand: what drizzle cannot say.

-- Every delivery is updated three times or more within seconds, so that a fifth of a large table dead, the default, is far too late.
ALTER TABLE delivery SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000, autovacuum_vacuum_cost_delay = 1, fillfactor = 80);
-- Counters: few rows, updated with each batch. What is free in their pages takes the next version, without touching an index.
ALTER TABLE integration SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 1, fillfactor = 30);
ALTER TABLE delivery_rollup SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 1, fillfactor = 50);
ALTER TABLE record_count SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 1, fillfactor = 30);
ALTER TABLE webhook_replay SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, fillfactor = 50);
-- Only ever inserted, and removed by retention.
ALTER TABLE attempt SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000, autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE event SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000, autovacuum_analyze_scale_factor = 0.05);
