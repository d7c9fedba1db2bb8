import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { second } from '@hearth/clock';
import { printId } from '@hearth/ids';
import type { OutboxRow } from '@hearth/outbox';
import { shortenName } from '@hearth/people';
import { ApprovalSchema } from '@hearth/proto/approvals/v1/approvals';
import type { ActorSchema } from '@hearth/proto/common/v1/caller';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import type { PersonSnapshotSchema } from '@hearth/proto/events/v1/events';
import { CallerKind } from '@hearth/proto/options';
import { writeJson } from '@hearth/proto-json';
import { actorOf, anyone, type Caller } from '@hearth/rpc';
import { approvalsTopic, approvalTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import type { ApprovalRow } from '../db/approvals.ts';
import type { RecipientRow } from '../db/recipients.ts';
import type { SignedApproval } from '../db/store-signed.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import { vias } from '../domain/enum-names.ts';
import { approvalSettled } from '../domain/events.ts';
import { type RecordedApproval, recordBody, underAge } from '../domain/record.ts';
import { receiptHash } from './receipt.ts';
import { showApproval } from './show-approvals.ts';

/**
 * Has a settled approval signed and kept, and then announces it: nothing is told to be settled before its signed answer is
 * there. Done again after a crash it goes on where it stopped, and nothing happens twice.
 *
 * @param caller who settled it, when they are still there
 * @returns as it is then
 */
export async function finish(
  context: Context,
  settled: WholeApproval,
  caller?: Caller,
): Promise<WholeApproval> {
  const { clock, gathered, people } = context;
  const { approval, recipients } = settled;
  if (approval.status === 'waiting' || approval.signed_answer !== null) return settled;
  const [signed, holders] = await Promise.all([
    sign(context, settled),
    people.find(peopleIn(approval, recipients)),
  ]);
  const after = { approval: { ...approval, signed_answer: signed }, recipients };
  const apps = [...holders.values()].map(({ app }) => app);
  const callback = approval.callback === null ? null : await callbackOf(context, approval.callback, after);
  const stored = await gathered.sign({
    id: approval.id,
    signed,
    at: new Date(clock.now()),
    event: announced(context, after, apps, caller),
    callback,
  });
  if (stored && callback !== null) context.background.run('callbacks', () => context.callbacks.kick());
  return after;
}

/** Whoever answers is told in time that their answer counts, also where nobody signs it now. */
const signWithinMs = 3 * second;

/** The signed record: the one that was signed first, however often it is asked for. */
async function sign(
  { clock, homeNames, peers, sealer }: Context,
  { approval, recipients }: WholeApproval,
): Promise<string> {
  const record = approval.record as string;
  const body = recordBody(recorded(homeNames.ownHome, approval, recipients), new Date(clock.now()));
  const { json } = await peers.records.keepRecord(
    {
      id: record,
      json: JSON.stringify(body),
      receiptHash: receiptHash(sealer, record),
      viewers: viewersOf(approval, recipients),
    },
    { caller: anyone, timeoutMs: signWithinMs },
  );
  return json;
}

function recorded(
  home: string,
  approval: ApprovalRow,
  recipients: readonly RecipientRow[],
): RecordedApproval {
  const { group, group_name, group_handle } = approval;
  return {
    ...approval,
    id: printId('apr', approval.id),
    record: printId('rec', approval.record as string),
    home,
    group:
      group === null
        ? null
        : { id: printId('grp', group), name: group_name ?? '', address: `&${group_handle ?? ''}` },
    about_child: approval.about !== null,
    requested_by: approval.asker_minor ? underAge : approval.asker_address,
    requested_name_verified: approval.asker_verified,
    requested_at: approval.asked_at,
    settled_at: approval.settled_at as Date,
    answers: recipients.flatMap((one) =>
      one.answered_at === null
        ? []
        : [
            {
              to: one.minor ? underAge : one.address,
              name: one.name,
              decision: one.decision,
              answer: one.answer,
              note: one.note,
              at: one.answered_at,
              by: one.answered_as ?? 'person',
              via: one.via ?? 'web',
              proof: one.proof ?? 'tap',
            },
          ],
    ),
  };
}

const told = ({ handling }: RecipientRow) => handling !== 'declined' && handling !== 'turned_away';

const distinct = (ids: readonly (string | null)[]) => [...new Set(ids.filter((id) => id !== null))];

/** Those whom the record concerns. */
function viewersOf(approval: ApprovalRow, recipients: readonly RecipientRow[]): string[] {
  const asked = recipients.filter(told).flatMap(({ recipient, person }) => [recipient, person]);
  return distinct([approval.asker, approval.asker_person, approval.asker_app, ...asked]);
}

function peopleIn(approval: ApprovalRow, recipients: readonly RecipientRow[]): string[] {
  return distinct([approval.asker_person, ...recipients.filter(told).map(({ person }) => person)]);
}

function announced(
  { outbox }: Context,
  { approval, recipients }: WholeApproval,
  apps: string[],
  caller: Caller | undefined,
): OutboxRow {
  const asked = recipients.filter(told);
  const owners = distinct([
    approval.asker,
    approval.asker_person,
    ...asked.flatMap(({ owner, recipient, person }) => [owner, recipient, person]),
  ]);
  return approvalSettled(
    outbox,
    approval,
    {
      to: distinct(asked.map(({ recipient }) => recipient)),
      apps,
      topics: [approvalTopic(approval.id), ...owners.map(approvalsTopic)],
      note: noteForJoiner(approval, asked),
      approvedBy: approvedBy(asked),
    },
    actor(approval, asked, caller),
  );
}

/** The people who said yes, as events know them; also where a guardian said so in their place. */
function approvedBy(asked: readonly RecipientRow[]): MessageInitShape<typeof PersonSnapshotSchema>[] {
  return asked.flatMap(({ kind, recipient, decision, name, minor }) =>
    kind === 'person' && recipient !== null && decision === 'approved'
      ? [{ id: recipient, name: minor ? shortenName(name) : name, minor }]
      : [],
  );
}

/** Groups tells it to who wants to join. */
function noteForJoiner({ kind, settled_by }: ApprovalRow, asked: readonly RecipientRow[]): string {
  if (kind !== 'join_request' || settled_by === null) return '';
  return asked.find(({ answered_by }) => answered_by === settled_by)?.note ?? '';
}

/** Who did it: whoever calls, or else whoever is written down as having given the last word. */
function actor(
  { settled_by }: ApprovalRow,
  asked: readonly RecipientRow[],
  caller: Caller | undefined,
): MessageInitShape<typeof ActorSchema> | undefined {
  if (settled_by === null) return undefined;
  if (caller?.id === settled_by) return actorOf(caller);
  const place = asked.find(({ answered_by }) => answered_by === settled_by);
  const own = place?.recipient === settled_by;
  return {
    kind: place?.answered_as === 'ai' ? CallerKind.AI : CallerKind.PERSON,
    id: settled_by,
    address: own && !place.minor ? place.address : '',
    name: own ? place.name : '',
    person: place?.person ?? '',
    via: vias.value(place?.via ?? 'home'),
  };
}

/** With the settled approval as whoever asked sees it. */
async function callbackOf(
  context: Context,
  url: string,
  settled: WholeApproval,
): Promise<SignedApproval['callback']> {
  const { approval } = settled;
  const asker = create(CallerSchema, {
    kind: approval.asker_kind === 'ai' ? CallerKind.AI : CallerKind.PERSON,
    id: approval.asker ?? '',
    person: approval.asker_kind === 'ai' ? (approval.asker_person ?? '') : '',
    app: approval.asker_app ?? '',
  });
  const body = writeJson(ApprovalSchema, await showApproval(context, settled, asker));
  return { url, origin: new URL(url).origin, body };
}
