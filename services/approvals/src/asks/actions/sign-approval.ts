import { create } from '@bufbuild/protobuf';
import { second } from '@hearth/clock';
import type { Announcement } from '@hearth/outbox';
import { shortenName } from '@hearth/people';
import { ApprovalSchema } from '@hearth/proto/approvals/v1/approvals';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';
import { writeJson } from '@hearth/proto-json';
import { anonymous, type Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { ApprovalRow } from '../db/approvals.ts';
import type { RecipientRow } from '../db/recipients.ts';
import type { SignedApproval } from '../db/store-signed.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import { isDelivered } from '../domain/answerer.ts';
import { vias } from '../domain/enum-names.ts';
import { approvalSettled } from '../domain/events.ts';
import { recordBody } from '../domain/record.ts';
import { approvalsTopic, approvalTopic } from '../domain/topics.ts';
import { receiptHash } from './receipt.ts';
import { showApproval } from './show-approvals.ts';

/** Signs a settled approval where that works; a job signs it later where it does not. */
export async function signNow(
  context: Context,
  settled: WholeApproval,
  caller?: Caller,
): Promise<WholeApproval> {
  try {
    return await signApproval(context, settled, caller);
  } catch (err) {
    context.log.warn({ err, approval: settled.approval.id }, 'a settled approval waits to be signed');
    return settled;
  }
}

/**
 * Has a settled approval signed and kept, and then announces it: its outcome is announced only once its signed answer is
 * there. Repeated after a crash it goes on where it stopped, and nothing happens twice.
 *
 * @param caller the caller that settled it, when still there
 * @returns as it is then
 */
export async function signApproval(
  context: Context,
  settled: WholeApproval,
  caller?: Caller,
): Promise<WholeApproval> {
  const { batched, clock, people } = context;
  const { approval, recipients } = settled;
  if (approval.status === 'waiting' || approval.signed_answer !== null) return settled;
  const [signed, holders] = await Promise.all([sign(context, settled), people.find(peopleIn(settled))]);
  const after = { approval: { ...approval, signed_answer: signed }, recipients };
  const apps = [...holders.values()].map(({ app }) => app);
  const callback = approval.callback === null ? null : await callbackOf(context, approval.callback, after);
  const at = new Date(clock.now());
  await batched.sign({ id: approval.id, signed, at, callback }, eventOf(after, apps, caller));
  return after;
}

/** The caller who answers waits no longer than that; a job signs it then. */
const signWithinMs = 3 * second;

/** The signed record. Federation keeps the first one and answers it again. */
async function sign({ clock, homeNames, peers, sealer }: Context, settled: WholeApproval): Promise<string> {
  const record = settled.approval.record as string;
  const body = recordBody(homeNames.ownHome, settled, new Date(clock.now()));
  const { json } = await peers.records.keepRecord(
    {
      id: record,
      json: JSON.stringify(body),
      receiptHash: receiptHash(sealer, record),
      viewers: viewersOf(settled),
    },
    { caller: anonymous, timeoutMs: signWithinMs },
  );
  return json;
}

const distinct = (ids: readonly (string | null)[]) => [...new Set(ids.filter((id) => id !== null))];

/** The people, AIs and apps whom the record concerns. */
function viewersOf({ approval, recipients }: WholeApproval): string[] {
  const asked = recipients.filter(isDelivered).flatMap(({ recipient, person }) => [recipient, person]);
  return distinct([approval.asker, approval.asker_person, approval.asker_app, ...asked]);
}

function peopleIn({ approval, recipients }: WholeApproval): string[] {
  return distinct([approval.asker_person, ...recipients.filter(isDelivered).map(({ person }) => person)]);
}

function eventOf(
  { approval, recipients }: WholeApproval,
  apps: string[],
  caller: Caller | undefined,
): Announcement {
  const asked = recipients.filter(isDelivered);
  const owners = distinct([
    approval.asker,
    approval.asker_person,
    ...asked.flatMap(({ owner, recipient, person }) => [owner, recipient, person]),
  ]);
  return approvalSettled(
    approval,
    {
      to: distinct(asked.map(({ recipient }) => recipient)),
      apps,
      topics: [approvalTopic(approval.id), ...owners.map(approvalsTopic)],
      note: noteForJoiner(approval, asked),
      approvedBy: approvedBy(asked),
    },
    settledBy(approval, asked, caller),
  );
}

/** The people who said yes, also through a guardian, as events know them. */
function approvedBy(asked: readonly RecipientRow[]) {
  return asked.flatMap(({ kind, recipient, decision, name, minor }) =>
    kind === 'person' && recipient !== null && decision === 'approved'
      ? [{ id: recipient, name: minor ? shortenName(name) : name, minor }]
      : [],
  );
}

/** The note with the answer, which groups passes on to the person who wants to join. */
function noteForJoiner({ kind, settled_by }: ApprovalRow, asked: readonly RecipientRow[]): string {
  if (kind !== 'join_request' || settled_by === null) return '';
  return asked.find(({ answered_by }) => answered_by === settled_by)?.note ?? '';
}

/** The caller that settled it, or else the one that its rows name. */
function settledBy(
  { settled_by }: ApprovalRow,
  asked: readonly RecipientRow[],
  caller: Caller | undefined,
): Caller | undefined {
  if (settled_by === null) return undefined;
  if (caller?.id === settled_by) return caller;
  const place = asked.find(({ answered_by }) => answered_by === settled_by);
  const own = place?.recipient === settled_by;
  return create(CallerSchema, {
    kind: place?.answered_as === 'ai' ? CallerKind.AI : CallerKind.PERSON,
    id: settled_by,
    address: own && !place.minor ? place.address : '',
    name: own ? place.name : '',
    person: place?.person ?? '',
    via: vias.valueOf(place?.via ?? 'home'),
  });
}

/** Carries the settled approval as its asker sees it. */
async function callbackOf(
  context: Context,
  url: string,
  settled: WholeApproval,
): Promise<SignedApproval['callback']> {
  const { approval } = settled;
  const isAi = approval.asker_kind === 'ai';
  const asker = create(CallerSchema, {
    kind: isAi ? CallerKind.AI : CallerKind.PERSON,
    id: approval.asker ?? '',
    person: isAi ? (approval.asker_person ?? '') : '',
    app: approval.asker_app ?? '',
  });
  const body = writeJson(ApprovalSchema, await showApproval(context, settled, asker));
  return { url, body };
}
