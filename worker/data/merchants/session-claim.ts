import { type RawSql, rawSql } from '../raw-sql.ts';

/** Claims of a signed access token; whether the session still lives is not checked yet. */
export type SessionClaim = { sessionId: string; accountId: number };

/** For a read that proves its session in the same trip to D1: 1 while the session lives. */
export const isSessionLive = ({ sessionId, accountId }: SessionClaim, now: number): RawSql =>
  rawSql`EXISTS (SELECT 1 FROM sessions
    WHERE id = ${sessionId} AND hub_id = ${accountId} AND revoked_at IS NULL AND ends_at > ${now})`;
