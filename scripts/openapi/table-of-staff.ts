import * as z from 'zod/mini';
import { AuditHeadFile, AuditMailReply, AuditView } from '#shared/contracts/audit';
import { AuditMailBody, AuditQuery } from '#shared/contracts/audit-request';
import { FirstHour, FirstHourMails } from '#shared/contracts/first-hour';
import { FirstHourBody } from '#shared/contracts/first-hour-request';
import { Health } from '#shared/contracts/health';
import { InvoiceReminders } from '#shared/contracts/invoice-reminders';
import { ArchiveStatus, ClosingStatus } from '#shared/contracts/leaving';
import { ClosingBody } from '#shared/contracts/leaving-request';
import { SendMailReply } from '#shared/contracts/lists';
import { Approved, MonitorNoted, MonitorState } from '#shared/contracts/monitor';
import { ApprovalBody, MonitorReportBody } from '#shared/contracts/monitor-request';
import { PaymentNotices } from '#shared/contracts/payment-notices';
import { PaymentNoticesBody } from '#shared/contracts/payment-notices-request';
import {
  DeskPeople,
  OwnFactors,
  OwnPasskey,
  SecondPerson,
  StaffPasskeyOptions,
  StepUp,
  WrongPin,
} from '#shared/contracts/proof';
import {
  NewPasskeyBody,
  NewPinBody,
  PasskeyLoginBody,
  ProofBody,
  SecondPersonBody,
  SwitchBody,
} from '#shared/contracts/proof-request';
import { Forecast, Reminders, TestSent } from '#shared/contracts/reminders';
import {
  ForecastQuery,
  InvoiceRemindersBody,
  RemindersBody,
  ReminderTestBody,
} from '#shared/contracts/reminders-request';
import { Device, GetMerchant, MerchantData, MerchantLog } from '#shared/contracts/session';
import { SetUpMerchant } from '#shared/contracts/session-answers';
import { SupportViewReply } from '#shared/contracts/support-view';
import { ChooseClinic, Invitation, JoinOffer, Member, StaffSessions, Team } from '#shared/contracts/team';
import { EndedSessionsReply, RefundLimitReply, RemovedReply } from '#shared/contracts/team-answers';
import {
  CodeLoginBody,
  InviteStaffBody,
  LoginCodeBody,
  MemberBody,
  RefundLimitBody,
} from '#shared/contracts/team-request';
import { bytes, csv, nothing, page, type Table } from './row.ts';

const pin = { 204: nothing, fails: [409, 429], beside: { 422: WrongPin } } as const;

/** Calls of staff about their account and themselves, logins, and programs that are no payer's. */
export const tableOfStaff: Table = {
  'GET /api/terminals': { 200: z.array(Device) },
  'GET /api/token/get-merchant': { 200: GetMerchant },
  'GET /api/token/get-merchant-data': { 200: MerchantData },
  'GET /api/token/get-merchant-logs': { 200: z.array(MerchantLog) },
  'POST /api/token/setup-merchant': { body: z.object({ dbaName: z.string() }), 200: SetUpMerchant, fails: [503] },
  'POST /api/webhooks/boarding/:secret': { body: { media: 'application/json' }, 204: nothing, fails: [400, 503] },
  'POST /api/webhooks/mail': { body: { media: 'application/json' }, 200: nothing, fails: [400, 401] },

  'GET /api/reminders': { 200: Reminders },
  'PUT /api/reminders': { body: RemindersBody, 200: Reminders },
  'GET /api/reminders/forecast': { query: ForecastQuery, 200: Forecast },
  'POST /api/reminders/test': { body: ReminderTestBody, 200: TestSent, 202: TestSent, fails: [409, 429] },
  'GET /api/invoices/:id/reminders': { 200: InvoiceReminders },
  'PUT /api/invoices/:id/reminders': { body: InvoiceRemindersBody, 200: InvoiceReminders },
  'GET /api/payment-notices': { 200: PaymentNotices },
  'PUT /api/payment-notices': { body: PaymentNoticesBody, 200: PaymentNotices },
  'GET /mail/stop/:token': { 200: page, 404: page },
  'POST /mail/stop/:token': { 200: page, 404: page, 413: { media: 'text/plain' } },

  'GET /api/audit': { query: AuditQuery, 200: [AuditView, csv] },
  'GET /api/audit/head': { 200: AuditHeadFile },
  'PUT /api/audit/mail': { body: AuditMailBody, 200: AuditMailReply },
  'POST /api/session': { body: CodeLoginBody, 200: ChooseClinic, 204: nothing, fails: [401, 429] },
  'POST /api/session/code': { body: LoginCodeBody, 202: nothing, fails: [429] },
  'GET /join/:secret': { 200: page },
  'POST /api/session/passkey/options': { 200: StaffPasskeyOptions },
  'POST /api/session/passkey': { body: PasskeyLoginBody, 204: nothing, fails: [401, 429] },
  'POST /api/session/proof/options': { 200: StaffPasskeyOptions },
  'POST /api/session/proof': { body: ProofBody, ...pin },
  'GET /api/support-view': { 200: SupportViewReply },
  'POST /api/support-view': { 200: SupportViewReply },
  'DELETE /api/support-view': { 200: SupportViewReply },
  'GET /api/session/factors': { 200: OwnFactors },
  'POST /api/session/factors/code': { 202: nothing, fails: [409, 429] },
  'POST /api/session/passkeys/options': { 200: StaffPasskeyOptions, fails: [409, 422], beside: { 403: StepUp } },
  'POST /api/session/passkeys': { body: NewPasskeyBody, 201: OwnPasskey, fails: [409], beside: { 403: StepUp } },
  'DELETE /api/session/passkeys/:id': { 204: nothing, fails: [422, 429], beside: { 403: StepUp } },
  'PUT /api/session/pin': { body: NewPinBody, 204: nothing, fails: [429], beside: { 403: StepUp } },
  'DELETE /api/session/pin': { 204: nothing, fails: [422, 429], beside: { 403: StepUp } },
  'GET /api/session/people': { 200: DeskPeople },
  'POST /api/session/switch': { body: SwitchBody, ...pin },
  'GET /api/join/:secret': { 200: JoinOffer, fails: [410] },
  'POST /api/join/:secret': { 204: nothing, fails: [410] },
  'GET /api/team': { 200: Team },
  'POST /api/team/invitations': { body: InviteStaffBody, 201: Invitation, fails: [409] },
  'PUT /api/team/refund-limit': { body: RefundLimitBody, 200: RefundLimitReply },
  'PUT /api/team/second-person': { body: SecondPersonBody, 200: SecondPerson },
  'PATCH /api/team/:id': { body: MemberBody, 200: Member, fails: [409] },
  'DELETE /api/team/:id': { 200: RemovedReply, fails: [409] },
  'DELETE /api/team/:id/factors': { 204: nothing },
  'GET /api/account/archive': { 200: ArchiveStatus },
  'POST /api/account/archive': { 202: ArchiveStatus },
  'GET /api/account/archive/:id/parts/:part': { 200: bytes },
  'GET /api/account/closing': { 200: ClosingStatus },
  'PUT /api/account/closing': { body: ClosingBody, 200: ClosingStatus, fails: [409] },
  'DELETE /api/account/closing': { 200: ClosingStatus, fails: [409] },
  'GET /api/sessions': { 200: StaffSessions },
  'DELETE /api/sessions': { 200: EndedSessionsReply },
  'DELETE /api/sessions/:id': { 200: EndedSessionsReply },
  'GET /api/first-hour': { 200: FirstHour },
  'PUT /api/first-hour': { body: FirstHourBody, 200: FirstHour },
  'GET /api/first-hour/mails': { 200: FirstHourMails },
  'POST /api/first-hour/test-link': { 200: SendMailReply, 202: SendMailReply, fails: [409, 422, 429, 503] },
  'GET /api/monitor': { 200: MonitorState },
  'POST /api/monitor': { body: MonitorReportBody, 201: MonitorNoted },
  'POST /api/monitor/approvals': { body: ApprovalBody, 200: Approved, fails: [409] },
  'GET /api/health': { 200: Health, 503: Health },
};
