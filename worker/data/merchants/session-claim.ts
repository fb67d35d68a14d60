import { type RawSql, rawSql } from '../raw-sql.ts';

/** Claims of a signed access token; whether the session still lives is not checked yet. */
export type SessionClaim = { sessionId: string; accountId: number };

/**
 * For a read that proves its session in the same trip to D1: 1 while the session lives
 * and its person was not removed. Every role may read.
 */
export const isSessionLive = ({ sessionId, accountId }: SessionClaim, now: number): RawSql =>
  rawSql`EXISTS (SELECT 1 FROM sessions s JOIN users u ON u.account_id = s.account_id AND u.user_id = s.user_id
    WHERE s.id = ${sessionId} AND s.account_id = ${accountId} AND s.revoked_at IS NULL AND s.ends_at > ${now}
      AND u.removed_at IS NULL)`;
