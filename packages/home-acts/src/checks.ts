import type { DescField } from '@bufbuild/protobuf';
import { isJsonObject, type JsonObject } from '@hearth/signing';

/**
 * How each member of a remote state is checked. Another home may only make statements about its own people
 * and things; a test walks the declarations, and fails for a field without an entry here.
 */
export interface Checks {
  /** Statements of the thing's home about the thing, which name no party and quote no one. */
  thing?: string;
  /** Addresses of parties: canonical, with their home; a group belongs to the stating home (`isAbroad`). */
  address?: string;
  /** A past time: at most the time of receipt plus the allowed clock skew. */
  past?: string;
  /** The time of an appointment, which may be in the future. */
  ahead?: string;
  /** A deadline for answers, at most this many days after receipt: the longest that an operator can configure. */
  until?: Readonly<Record<string, number>>;
  /**
   * Words and acts of a party, compared with the acts that this home sent. `saidIn` names the file that
   * compares them.
   */
  act?: string;
  /** A record signed by its home; removed if it has words of local parties that they did not send (`record.ts`). */
  record?: string;
  /** Fields that depend on the reader; never accepted from another home. */
  reader?: string;
  /** Messages with an entry of their own. */
  within?: string;
  /** Addresses that must belong to the stating home, because only its parties start a group's thing or organize it. */
  theirs?: string;
  /** `act` and `within` are about the local recipient, who is not named in the state. */
  ofRecipient?: true;
  /** Facts about the party whose address is in `of`; for a local party, replaced by this home's own facts. */
  by?: Readonly<Record<string, { is: 'adult' | 'name' | 'role' | 'status' | 'unknown'; of: string }>>;
  /** The file that compares `act`. */
  saidIn?: string;
}

const name = (of: string) => ({ is: 'name', of }) as const;
const unknown = (of: string) => ({ is: 'unknown', of }) as const;

const decisions = 'services/decisions/src/decisions/actions/words-of-ours.ts';
const plans = 'services/decisions/src/plans/actions/home-plans.ts';
const agreements = 'services/decisions/src/agreements/actions/home-agreements.ts';
const meetings = 'services/decisions/src/meetings/actions/home-meetings.ts';
const asks = 'services/approvals/src/asks/actions/follow-state.ts';
const posts = 'services/messages/src/group-posts/actions/home-posts.ts';

/** Field names by type name, then by way of checking. */
export const checks: Readonly<Record<string, Checks>> = {
  'hearth.decisions.v1.Decision': {
    thing: 'id title status details people_asked people_answered needs time_zone why review_on revision',
    ...{ address: 'waiting_on hidden_from', past: 'at settled_at', record: 'record' },
    until: { deadline: 365 },
    ...{ reader: 'receipt outcome pending superseded disputed' },
    within: 'group asked_by questions answers proposal clash',
  },
  'hearth.decisions.v1.DecisionGroup': { thing: 'id name', address: 'address' },
  'hearth.decisions.v1.DecisionStarter': {
    ...{ reader: 'id', address: 'address', theirs: 'address', by: { name: name('address') } },
  },
  'hearth.decisions.v1.Question': { thing: 'id kind prompt options' },
  'hearth.decisions.v1.DecisionAnswer': {
    ...{ thing: 'question_id', address: 'person', by: { name: name('person') }, past: 'at' },
    // Notes stay at their home, and nothing is assumed about remote people.
    ...{ act: 'answer firm note by_ai assumed', saidIn: decisions },
  },
  'hearth.decisions.v1.Proposal': {
    ...{ thing: 'version summary when where', address: 'by', theirs: 'by', past: 'at' },
    ...{ ahead: 'ends_at', until: { object_by: 365 } },
    within: 'answers bring approvals',
  },
  'hearth.decisions.v1.ProposedAnswer': {
    ...{ thing: 'question_id kind answer', address: 'people assumed', act: 'people assumed' },
    saidIn: decisions,
  },
  'hearth.decisions.v1.Brought': {
    ...{ thing: 'duplicate', address: 'person', by: { name: name('person') } },
    ...{ act: 'what assumed', saidIn: decisions },
  },
  'hearth.decisions.v1.ProposalApproval': {
    ...{ address: 'person', by: { name: name('person') }, past: 'at' },
    ...{ act: 'decision by note', saidIn: decisions },
  },
  'hearth.decisions.v1.Clash': {
    ...{
      thing: 'question question_id',
      address: 'people waiting_for',
      until: { until: 365 },
      within: 'sides',
    },
    ...{ act: 'people', saidIn: decisions },
  },
  'hearth.decisions.v1.ClashSide': {
    ...{ thing: 'answer by_ai', address: 'people', act: 'people', saidIn: decisions },
  },
  'hearth.decisions.v1.Plan': {
    thing: 'id title status group settled_option details where time_zone why revision reason group_name',
    ...{ address: 'by waiting_on hidden_from', theirs: 'by', until: { deadline: 365 } },
    past: 'created_at clash_at settled_at',
    ...{
      record: 'record',
      reader: 'receipt outcome approval pending superseded disputed',
      within: 'options people',
    },
  },
  'hearth.decisions.v1.PlanOption': {
    thing: 'id label date chosen',
    ahead: 'starts_at ends_at',
    within: 'stances',
  },
  'hearth.decisions.v1.Stance': {
    ...{ address: 'person by', by: { name: name('person') }, past: 'at', reader: 'handle' },
    ...{ act: 'stance note by', saidIn: plans },
  },
  'hearth.identity.v1.Person': {
    ...{ address: 'id address', reader: 'handle guardian ai_share home app deletes_at language' },
    // Only adults take part in remote things.
    by: {
      name: name('address'),
      guest: unknown('address'),
      shielded: unknown('address'),
      age_band: { is: 'adult', of: 'address' },
    },
    thing: 'kind',
  },
  'hearth.decisions.v1.Agreement': {
    thing: 'id title terms terms_digest status why reason needs_owners replaces disputed side_gone revision',
    ...{ address: 'by', theirs: 'by', past: 'created_at ready_at settled_at' },
    ...{ until: { sign_by: 365 }, ahead: 'due_at' },
    ...{ record: 'record settlement', reader: 'receipt approval pending superseded words_disputed' },
    // `signing` is rebuilt and compared as a whole.
    ...{ ofRecipient: true, within: 'sides', act: 'signing', saidIn: agreements },
  },
  'hearth.decisions.v1.AgreementSide': {
    ...{ address: 'address', past: 'signed_at', reader: 'yours' },
    by: { name: name('address'), owner_status: { is: 'status', of: 'address' } },
    ...{
      thing: 'name_verified',
      act: 'signed_at owner_approved own_key settled note gone',
      saidIn: agreements,
    },
  },
  'hearth.decisions.v1.Meeting': {
    thing: 'id uid sequence offer title time_zone place name_verified offered status revision',
    ...{
      ofRecipient: true,
      address: 'with cancelled_by',
      theirs: 'with',
      past: 'booked_at',
      ahead: 'starts_at ends_at moved_from',
    },
    ...{
      by: { with_name: name('with') },
      record: 'record',
      reader: 'receipt pending disputed',
      within: 'move',
    },
    ...{ act: 'starts_at ends_at cancelled_by reason note', saidIn: meetings },
  },
  'hearth.decisions.v1.ProposedMove': {
    ...{ ofRecipient: true, ahead: 'starts_at ends_at', act: 'starts_at yours reason', saidIn: meetings },
  },
  'hearth.decisions.v1.MeetingOffer': {
    thing: 'id name_verified title time_zone place note status times booked',
    ...{ address: 'by', theirs: 'by', by: { by_name: name('by') } },
    ...{ past: 'created_at', until: { expires_at: 1_000 } },
    ...{ reader: 'to handling yours', within: 'slots' },
  },
  'hearth.decisions.v1.MeetingSlot': { thing: 'free', ahead: 'starts_at ends_at' },
  'hearth.groups.v1.Group': {
    ...{
      thing: 'id name settings archived time_zone group_ai',
      address: 'address',
      ahead: 'ends_at',
      within: 'members',
    },
    reader: 'created_by has_minors app your_role parent',
  },
  'hearth.groups.v1.GroupSettings': { thing: 'minors consent_age join_review group_ai plans' },
  'hearth.groups.v1.Member': {
    ...{ within: 'person', past: 'joined_at', by: { role: { is: 'role', of: 'person.address' } } },
  },
  'hearth.groups.v1.HomeInvite': {
    ...{ thing: 'id status needs_review', address: 'invited_by', theirs: 'invited_by' },
    by: { name: name('invited_by') },
    ...{ past: 'created_at', until: { expires_at: 3_650 }, within: 'group' },
  },
  'hearth.groups.v1.InvitingGroup': { thing: 'id name', address: 'address' },
  'hearth.messages.v1.GroupPost': {
    ...{ thing: 'id group reply_to via', address: 'from', by: { from_name: name('from') }, past: 'at' },
    ...{ act: 'text by_ai', saidIn: posts, reader: 'pending' },
  },
  'hearth.decisions.v1.SlotHold': { thing: 'offer', ahead: 'starts_at ends_at', until: { held_until: 1 } },
  'hearth.groups.v1.AcceptInviteResponse': {
    ...{ thing: 'status group waiting_for next', within: 'member' },
    reader: 'approval session_token pending wording',
  },
  'hearth.groups.v1.WithdrawJoinResponse': { thing: 'withdrawn' },
  'hearth.groups.v1.LeaveGroupResponse': { thing: 'left archived' },
  // Asks are read by approvals itself.
  'hearth.approvals.v1.HomeAsk': {
    thing:
      'id title status kind request_kind details choices free_text needs preview digest why reminders final',
    ...{ address: 'from', theirs: 'from', past: 'at settled_at', until: { expires_at: 30 } },
    within: 'people group',
  },
  'hearth.approvals.v1.HomeAskPerson': {
    ...{ address: 'to', by: { person: name('to') }, past: 'at' },
    ...{ act: 'decision answer note by', saidIn: asks },
  },
  'hearth.approvals.v1.HomeAskGroup': { thing: 'id name', address: 'address' },
};

/** Whether a field is among the names of a way of checking. */
export const isIn = (names: string, field: Pick<DescField, 'name'>): boolean =>
  names.split(' ').includes(field.name);

/** Returns the address at a check's path; the first if there are several. @param path "address", or "person.address" */
export function addressIn(json: JsonObject, path: string): string {
  const [first = '', ...rest] = path.split('.');
  const [value] = [json[first] ?? ''].flat();
  if (isJsonObject(value)) return addressIn(value, rest.join('.'));
  return typeof value === 'string' ? value : '';
}
