import { type RawSql, rawSql } from '../raw-sql.ts';

/** What a signed access token says of its session, before anybody has looked whether that still lives. */
export type SessionClaim = { sessionId: string; accountId: number };

/** For a read that proves its session in the same trip to D1: 1 while the session lives. */
export const isSessionLive = ({ sessionId, accountId }: SessionClaim, now: number): RawSql =>
  rawSql`EXISTS (SELECT 1 FROM sessions
    WHERE id = ${sessionId} AND hub_id = ${accountId} AND revoked_at IS NULL AND ends_at > ${now})`;
