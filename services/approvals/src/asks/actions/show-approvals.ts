import { create, type JsonObject, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { isMinor } from '@hearth/people';
import {
  type Approval,
  type ApprovalRecipientSchema,
  ApprovalSchema,
} from '@hearth/proto/approvals/v1/approvals';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Person } from '@hearth/proto/identity/v1/resources';
import { receiptLink } from '@hearth/receipts';
import type { Caller } from '@hearth/rpc';
import { kindValueOf } from '../../shared/domain/request-kinds.ts';
import type { Context } from '../context.ts';
import type { ApprovalRow } from '../db/approvals.ts';
import type { RecipientRow } from '../db/recipients.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import { decisions, handlings, kinds, needs, statuses } from '../domain/enum-names.ts';
import { hasFollowUp } from '../domain/follow-up.ts';
import { statusNow } from '../domain/machine.ts';
import { groupOf } from '../domain/record.ts';
import { isAsker, viewing } from './viewer.ts';

type Deps = Pick<Context, 'clock' | 'config' | 'people' | 'sealer'>;
type Facts = ReadonlyMap<string, PersonFacts>;

/** Replaces the address of a child whose account is deleted. */
const gone = '@deleted';

/** The approvals as the caller may see them, in the same order. */
export async function showApprovals(
  context: Deps,
  wholes: readonly WholeApproval[],
  caller: Caller,
): Promise<Approval[]> {
  const facts = await context.people.find(wholes.flatMap((whole) => shieldedIn(whole, caller)));
  return wholes.map((whole) => show(context, whole, caller, facts));
}

export async function showApproval(context: Deps, whole: WholeApproval, caller: Caller): Promise<Approval> {
  const [approval] = await showApprovals(context, [whole], caller);
  return approval as Approval;
}

/**
 * uuids of the children, who are shielded differently for each viewer, and of the people whose ids an app
 * needs.
 */
function shieldedIn({ approval: row, recipients }: WholeApproval, { app }: Caller): string[] {
  const wanted = [
    row.about,
    row.asker_minor || app !== '' ? row.asker_person : null,
    ...recipients.map((recipient) =>
      recipient.minor || (app !== '' && recipient.kind === 'person') ? subjectOf(recipient) : null,
    ),
  ];
  return wanted.filter((id) => id !== null);
}

/** uuid of the recipient, or of the owner of an AI. */
function subjectOf({ kind, recipient, person }: RecipientRow): string | null {
  return kind === 'ai' ? person : recipient;
}

function show(
  context: Deps,
  { approval: row, recipients, isPending: isFollowUpPending = false }: WholeApproval,
  caller: Caller,
  facts: Facts,
): Approval {
  const { clock, config, people, sealer } = context;
  const viewer = viewing(caller);
  const asked = isAsker(viewer, row);
  const about = row.about === null ? undefined : facts.get(row.about);
  const child = about && people.show(about, caller);
  const status = statusNow(row, clock.now());
  const byApp = caller.app !== '';
  const signed =
    row.signed_answer === null
      ? undefined
      : (JSON.parse(row.signed_answer) as JsonObject & { void?: string });
  // The service that acts on the outcome gets it once it is signed.
  const isUnsigned = row.home === null && row.signed_answer === null && hasFollowUp(row.kind);
  const isPending =
    status === 'waiting' ? isAnswerPending(recipients, viewer) : isFollowUpPending || isUnsigned;
  return create(ApprovalSchema, {
    id: row.reference ?? printId('apr', row.id),
    home: row.home ?? undefined,
    title: row.title,
    status: statuses.valueOf(status),
    kind: kinds.valueOf(row.kind),
    requestKind: kindValueOf(row.request_kind),
    details: row.details ?? undefined,
    choices: row.choices,
    freeText: row.free_text,
    needs: needs.valueOf(row.needs),
    ...fromOf(context, row, caller, facts),
    nameVerified: row.asker_verified,
    ...(child !== undefined && { about: child.address, aboutName: child.name }),
    ...(about !== undefined && byApp && { subject: people.idFor(about, caller) }),
    ...(byApp && { requestedBy: askerId(context, row, caller, facts) }),
    ...groupOf(row),
    itemRef: byApp && row.item_app === caller.app ? (row.item_ref ?? undefined) : undefined,
    preview: row.preview ?? undefined,
    // Recipients who turned the ask away are shown only to the asker.
    people: recipients
      .filter(({ handling }) => asked || handling !== 'turned_away')
      .map((recipient) => showRecipient(context, recipient, { caller, facts, asked })),
    at: timestampFromDate(row.asked_at),
    expiresAt: timestampFromDate(row.expires_at),
    digest: row.digest,
    ...(status === 'waiting' && { toYou: toYou(recipients, caller) }),
    settledAt: row.settled_at === null ? undefined : timestampFromDate(row.settled_at),
    ...(signed !== undefined && { signedAnswer: signed }),
    ...(row.signed_answer !== null &&
      row.home === null &&
      row.record !== null && { receipt: receiptLink(sealer, config.siteUrl, row.record) }),
    // A block is shown as a rule, so that the blocked party does not learn of it.
    why: row.why === 'blocked' ? 'by_rule' : (row.why ?? undefined),
    ...(row.home === null && signed?.void !== undefined && { void: signed.void }),
    ...(asked && { reminders: row.reminders }),
    ...(isPending && { pending: true }),
    ...(row.disputed === 'now' && { disputed: true }),
  });
}

function fromOf(
  { people }: Deps,
  row: ApprovalRow,
  caller: Caller,
  facts: Facts,
): { from: string; fromName: string } {
  const stored = { from: row.asker_address, fromName: row.asker_name };
  if (!row.asker_minor) return stored;
  const person = row.asker_person === null ? undefined : facts.get(row.asker_person);
  if (person === undefined) return { from: gone, fromName: row.asker_name };
  const shown = people.show(person, caller);
  // An AI's address contains its owner's handle.
  return !shown.shielded && row.asker_kind === 'ai' ? stored : { from: shown.address, fromName: shown.name };
}

function askerId({ people }: Deps, row: ApprovalRow, caller: Caller, facts: Facts): string | undefined {
  const person = row.asker_person === null ? undefined : facts.get(row.asker_person);
  if (row.asker_kind === 'ai' && row.asker !== null && !(person && isMinor(person)))
    return printId('ai', row.asker);
  return person === undefined ? undefined : people.idFor(person, caller);
}

function showRecipient(
  { people }: Deps,
  row: RecipientRow,
  { caller, facts, asked }: { caller: Caller; facts: Facts; asked: boolean },
): MessageInitShape<typeof ApprovalRecipientSchema> {
  const subject = subjectOf(row);
  const person = subject === null ? undefined : facts.get(subject);
  const byApp = caller.app !== '' && row.kind === 'person' && person !== undefined;
  return {
    ...(byApp && { id: people.idFor(person, caller) }),
    ...namesOf(row, person && people.show(person, caller)),
    decision: decisions.valueOf(row.decision),
    answer: row.answer ?? undefined,
    note: row.note ?? undefined,
    at: row.answered_at === null ? undefined : timestampFromDate(row.answered_at),
    by: row.answered_as ?? undefined,
    ...(asked && { handling: handlings.valueOf(row.handling) }),
  };
}

/** Whether the ask waits for the caller personally; undefined if it is not waiting for them. */
function toYou(recipients: readonly RecipientRow[], caller: Caller): boolean | undefined {
  const { owners } = viewing(caller);
  const open = recipients.filter(
    ({ decision, owner, recipient, person, kind, act }) =>
      decision === 'waiting' &&
      act === null &&
      (owners.includes(owner ?? '') ||
        owners.includes(recipient ?? '') ||
        (kind === 'person' && owners.includes(person ?? ''))),
  );
  if (open.length === 0) return undefined;
  return open.some(
    ({ recipient, person, kind }) => recipient === caller.id || (kind === 'person' && person === caller.id),
  );
}

/** Whether an answer of the viewer is in flight to the home of the ask. */
function isAnswerPending(
  recipients: readonly RecipientRow[],
  { owners }: ReturnType<typeof viewing>,
): boolean {
  const isTheirs = ({ recipient, person }: RecipientRow) =>
    [recipient, person].some((id) => id !== null && owners.includes(id));
  return recipients.some((recipient) => recipient.act !== null && isTheirs(recipient));
}

function namesOf(row: RecipientRow, shown: Person | undefined): { to: string; person: string } {
  const stored = { to: row.address, person: row.name };
  if (!row.minor) return stored;
  if (shown === undefined) return { to: gone, person: row.name };
  // An AI's address contains its owner's handle.
  return !shown.shielded && row.kind === 'ai' ? stored : { to: shown.address, person: shown.name };
}
