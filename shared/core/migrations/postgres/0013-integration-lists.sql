-- Written by hand: what drizzle cannot say.

-- The list of integrations is read in its order and counted from an index, those to look at from one of their own.
CREATE INDEX integration_live ON integration (company_uuid, created_at DESC, uuid, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX integration_attention ON integration (company_uuid, created_at DESC, uuid) WHERE deleted_at IS NULL AND (failing_since IS NOT NULL OR pause_reason IN ('gone', 'failing'));
