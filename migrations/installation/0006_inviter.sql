-- Who invited, as an account: an invitation is over once that one is no owner any more.
ALTER TABLE content_invitations ADD COLUMN inviter_id TEXT NOT NULL DEFAULT '';
UPDATE content_invitations SET inviter_id = coalesce(
  (SELECT id FROM content_users WHERE name = invited_by AND role = 'owner' ORDER BY created_at LIMIT 1), '');
-- What is left was sent by somebody who has gone.
UPDATE content_invitations SET ended_at = created_at WHERE ended_at IS NULL AND inviter_id = '';
