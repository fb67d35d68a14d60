import { atItsEnd, DAY, type Kept, ONE_YEAR, withAccount } from './kept.ts';
import { inBoth } from './periods-of-both.ts';

/** How long each table of the installation's database keeps what it holds. */
export const installationTables: Record<string, Kept> = {
  ...inBoth,
  login_states: { rules: [atItsEnd('login_states_end')], why: 'good for 10 minutes, once' },
  login_codes: {
    rules: [{ does: 'delete', column: 'created_at', ms: DAY, index: 'login_codes_created' }],
    why: 'good for 10 minutes, once; an address gets ten a day at most, so they are counted for a day',
  },
  staff_addresses: {
    row: 'as long as the person is in the team',
    rules: [],
    why: 'a login by mail finds its clinic by it',
  },
  handoff_codes: { rules: [atItsEnd('handoff_codes_end')], why: 'good for 60 seconds, once' },
  retired_keys: { row: 'as long as the key is in its ring', rules: [], why: 'it says when a key may go' },
  script_versions: {
    rules: [{ does: 'delete', what: 'row and body', column: 'last_seen_at', ms: ONE_YEAR, apart: true }],
    why: 'evidence of twelve months, as the card industry asks for',
  },
  monitor_runs: {
    rules: [{ does: 'delete', what: 'row and evidence', column: 'started_at', ms: ONE_YEAR, apart: true }],
    why: 'as above',
  },
  monitor_findings: {
    rules: [
      {
        ...{ does: 'delete', column: 'closed_at', ms: ONE_YEAR },
        ...{ index: 'monitor_findings_closed', when: 'closed_at IS NOT NULL' },
      },
    ],
    why: 'as above; one that stands stays',
  },
  alerts: {
    rules: [
      {
        ...{ does: 'delete', column: 'closed_at', ms: 400 * DAY },
        ...{ index: 'alerts_closed', when: 'closed_at IS NOT NULL' },
      },
    ],
    why: 'thirteen months answer when a trouble was met and told; it names accounts and no person but who acknowledged it',
  },
  alert_accounts: {
    row: 'until the account is in order again, its clinic is erased, or its alert is closed',
    rules: [],
    why: 'what stands now',
  },
  heartbeats: { row: 'for ever', rules: [], why: 'a row for each job of the schedule' },
  content_users: {
    row: 'until an owner removes it',
    rules: [
      {
        does: 'delete',
        column: 'created_at',
        ms: 30 * DAY,
        index: 'content_users_waiting',
        when: "status <> 'active'",
      },
    ],
    why: 'an account in use; nobody waits longer for an approval',
  },
  content_sessions: {
    rules: [{ does: 'delete', column: 'ends_at', ms: 7 * DAY, index: 'content_sessions_end' }],
    why: 'as with merchants’ sessions',
  },
  content_setup: { row: 'for ever', rules: [], why: 'the code works once' },
  content_invitations: {
    rules: [atItsEnd('content_invitations_end')],
    why: 'good for 7 days, once, while its author is an owner',
  },
  content_passkeys: { row: 'with the account', rules: [], why: 'public keys, which open nothing by themselves' },
  content_recovery_codes: { row: 'with the account, or until new ones are made', rules: [], why: 'each works once' },
  content_resets: { rules: [atItsEnd('content_resets_end')], why: 'good for 1 hour, once' },
  content_throttles: { rules: [atItsEnd('content_throttles_end')], why: 'tries count no longer then' },
  articles: {
    row: 'until it is deleted',
    rules: [
      {
        ...{ does: 'delete', what: 'what is in the trash', column: 'trashed_at', ms: 30 * DAY },
        ...{ index: 'articles_trashed', when: 'trashed_at IS NOT NULL' },
      },
    ],
    why: 'the public site; a month is enough to miss what was deleted',
  },
  article_schedules: {
    row: 'until its times are carried out or taken back, or the article is deleted',
    rules: [],
    why: 'what is planned',
  },
  article_slugs: {
    row: 'with the article, or until another one takes the address',
    rules: [],
    why: 'old addresses lead on',
  },
  article_revisions: { row: 'the newest 50 of an article', rules: [], why: 'each save drops older ones' },
  article_drafts: {
    row: 'until the article is saved or the draft is dropped',
    rules: [{ does: 'delete', column: 'saved_at', ms: 365 * DAY, index: 'article_drafts_saved' }],
    why: 'nobody goes on after a year',
  },
  article_media: { row: 'with the article or the file', rules: [], why: 'it says where a file is shown' },
  media: {
    row: 'until it is deleted',
    rules: [],
    why: 'articles show it; shared caches let go of a deleted one within an hour, a browser that has seen it may keep it',
  },
  site_state: { row: 'for ever', rules: [], why: 'one row' },
  site_builds: { rules: [{ does: 'newest', rows: 100, column: 'requested_at' }], why: 'enough to see what went wrong' },
  declines: {
    rules: [{ does: 'delete', column: 'at', ms: DAY / 24, index: 'declines_end' }],
    why: 'the limit of declines counts an hour',
  },
  operators: { row: 'until an operator removes it', rules: [], why: 'who runs the installation' },
  operator_passkeys: { row: 'with the operator', rules: [], why: 'public keys, which open nothing by themselves' },
  operator_sessions: {
    rules: [{ does: 'delete', column: 'ends_at', ms: 7 * DAY, index: 'operator_sessions_end' }],
    why: 'as with merchants’ sessions',
  },
  operator_codes: {
    row: 'for ever where it is the set-up code, which has no `ends_at`',
    rules: [atItsEnd('operator_codes_end')],
    why: 'good for 24 hours, once; the set-up code works once',
  },
  operator_challenges: { rules: [atItsEnd('operator_challenges_end')], why: 'good for 5 minutes, once' },
  payment_switch: { row: 'for ever', rules: [], why: 'one row' },
  clinics: {
    row: 'for ever',
    rules: [],
    why: 'one row for each clinic that ever was: its number must never be given again; after an erasure the row holds neither account nor name',
  },
  clinic_keys: withAccount('vendors name the clinic by them'),
};
