import * as z from 'zod/mini';
import { ArchiveStatus } from '#shared/contracts/leaving';
import {
  AnchorReply,
  ClinicErased,
  ClinicList,
  DumpList,
  DumpManifest,
  HandedOver,
  InspectedClinic,
  PersonErased,
  PersonShown,
  RestoreBegun,
  RestoreEnded,
  TrailEnds,
  TrailRows,
} from '#shared/contracts/operate';
import {
  EraseBody,
  HandOverBody,
  PersonBody,
  RestoreBody,
  RestoreEndBody,
  RestorePieceBody,
} from '#shared/contracts/operate-request';
import {
  Done,
  InvitedOperator,
  OperatorClinic,
  OperatorClinics,
  OperatorMe,
  OperatorOverview,
  Operators,
  PasskeyOptions,
} from '#shared/contracts/operator';
import {
  AcknowledgeBody,
  ClinicsQuery,
  EnrolmentBody,
  EnrolmentOptionsBody,
  PasskeyBody,
  PaymentsBody,
  SendAgainBody,
} from '#shared/contracts/operator-request';
import { bytes, nothing, page, type Table } from './row.ts';

const text = z.optional(z.string());
const clinic = '/api/operate/clinics/:account';
const restoration = '/api/operate/restorations/:clinic';

/** Who runs the installation, in a browser and by programs. */
export const tableOfOperator: Table = {
  'GET /operator': { 200: page },
  'GET /operator/*': { 200: page },
  'POST /api/operator/enrolment/options': { body: EnrolmentOptionsBody, 200: PasskeyOptions, fails: [429] },
  'POST /api/operator/enrolment': { body: EnrolmentBody, 201: OperatorMe, fails: [401] },
  'POST /api/operator/session/options': { 200: PasskeyOptions },
  'POST /api/operator/session': { body: PasskeyBody, 204: nothing, fails: [401, 429] },
  'DELETE /api/operator/session': { 204: nothing },
  'GET /api/operator/me': { 200: OperatorMe },
  'POST /api/operator/proof/options': { 200: PasskeyOptions },
  'POST /api/operator/proof': { body: PasskeyBody, 204: nothing },
  'GET /api/operator/overview': { 200: OperatorOverview },
  'GET /api/operator/clinics': { query: ClinicsQuery, 200: OperatorClinics },
  'GET /api/operator/clinics/:number': { 200: OperatorClinic },
  'GET /api/operator/operators': { 200: Operators },
  'POST /api/operator/operators/invitations': { 201: InvitedOperator },
  'DELETE /api/operator/operators/:id': { 204: nothing, fails: [409] },
  'POST /api/operator/clinics/:number/view': { 200: Done, fails: [409] },
  'POST /api/operator/clinics/:number/wake': { 200: Done },
  'POST /api/operator/alerts/acknowledgement': { body: AcknowledgeBody, 200: Done, fails: [409] },
  'POST /api/operator/mails/again': { body: SendAgainBody, 200: Done, fails: [409] },
  'POST /api/operator/builds': { 200: Done, fails: [409] },
  'PUT /api/operator/payments': { body: PaymentsBody, 200: Done, fails: [409] },

  'GET /api/operate/clinics': { query: z.object({ after: text }), 200: ClinicList },
  [`GET ${clinic}`]: { 200: InspectedClinic },
  [`DELETE ${clinic}`]: { body: EraseBody, 200: ClinicErased, fails: [409] },
  [`POST ${clinic}/hand-over`]: { body: HandOverBody, 200: HandedOver, fails: [409] },
  [`POST ${clinic}/unlock`]: { body: HandOverBody, 204: nothing },
  [`GET ${clinic}/archive`]: { 200: ArchiveStatus },
  [`POST ${clinic}/archive`]: { 202: ArchiveStatus },
  [`GET ${clinic}/archive/:id/parts/:part`]: { 200: bytes },
  'POST /api/operate/content/unlock': { body: HandOverBody, 204: nothing },
  [`GET ${clinic}/dumps`]: { query: z.object({ clinic: text }), 200: DumpList },
  [`GET ${clinic}/trail`]: { 200: TrailEnds },
  [`GET ${clinic}/trail/:rows`]: { query: z.object({ from: z.string(), to: z.string() }), 200: TrailRows },
  [`POST ${clinic}/person`]: { body: PersonBody, 200: [PersonShown, PersonErased] },
  'GET /api/operate/anchor': { 200: AnchorReply },
  'GET /api/operate/dumps': { query: z.object({ folder: z.string() }), 200: DumpManifest },
  'POST /api/operate/restorations': { body: RestoreBody, 201: RestoreBegun, fails: [409] },
  'POST /api/operate/restorations/archive/:account': { body: bytes, 201: RestoreBegun, fails: [409] },
  [`PUT ${restoration}/parts/:part`]: { body: bytes, 204: nothing, fails: [409] },
  [`PUT ${restoration}/pieces/:piece`]: { body: RestorePieceBody, 204: nothing, fails: [409] },
  [`POST ${restoration}/end`]: { body: RestoreEndBody, 200: RestoreEnded, fails: [409] },
  [`DELETE ${restoration}`]: { 204: nothing },
};
