import { create } from '@bufbuild/protobuf';
import { printId } from '@hearth/ids';
import type { Announcement } from '@hearth/outbox';
import { shortenName } from '@hearth/people';
import { ApprovalSchema } from '@hearth/proto/approvals/v1/approvals';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';
import { writeJson } from '@hearth/proto-json';
import { createSigning, type Signing, type SigningParts } from '@hearth/receipts';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { type ApprovalRow, unsigned } from '../db/approvals.ts';
import type { RecipientRow } from '../db/recipients.ts';
import type { SignedApproval } from '../db/store-signed.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import { isDelivered } from '../domain/answerer.ts';
import { vias } from '../domain/enum-names.ts';
import { approvalSettled } from '../domain/events.ts';
import { hasFollowUp } from '../domain/follow-up.ts';
import { askState, finalRev, isAway } from '../domain/home-ask.ts';
import { recordBody } from '../domain/record.ts';
import { approvalsTopic, approvalTopic } from '../domain/topics.ts';
import { showApproval } from './show-approvals.ts';
import { voidNow } from './void-now.ts';

type ApprovalSigningDeps = SigningParts & Omit<Context, 'approvals' | 'signing'>;

/** Signs settled approvals. */
export function createApprovalSigning(context: ApprovalSigningDeps): Signing<WholeApproval> {
  const { batched, clock, homeNames, people } = context;
  return createSigning<WholeApproval>(context, {
    kind: 'approval',
    unsigned,
    idOf: ({ approval }) => approval.id,
    find: (id) => batched.find(id),
    async draft(whole, caller) {
      const { approval, recipients } = whole;
      if (approval.home !== null) return null;
      if (approval.status === 'waiting' || approval.record === null || approval.signed_answer !== null)
        return null;
      const nothing = await voidNow(context, whole);
      return {
        record: approval.record,
        type: 'approval.answer',
        subject: printId('apr', approval.id),
        body: { ...recordBody(whole), ...(nothing !== null && { void: nothing }) },
        viewers: viewersOf(whole),
        async store(signed) {
          const after = { approval: { ...approval, signed_answer: signed }, recipients };
          const holders = await people.find(peopleIn(whole));
          const apps = [...holders.values()].map(({ app }) => app);
          const url = approval.callback;
          const callback = url === null ? null : await callbackOf(context, url, after);
          const at = new Date(clock.now());
          const outcome = eventOf(after, apps, voidIn(after.approval), caller);
          // The response says that the person joined, or that the plan or agreement began, so it waits until
          // that is true.
          const { announcement, settled } =
            whole.isAnswer && hasFollowUp(approval.kind)
              ? context.commit.awaitSettled(outcome)
              : { announcement: outcome, settled: true };
          const events = [announcement];
          if (isAway(after)) events.push(askState(after, { names: homeNames, rev: finalRev }));
          await batched.sign({ id: approval.id, signed, at, callback }, events);
          return { ...after, isPending: !(await settled) };
        },
      };
    },
  });
}

const distinct = (ids: readonly (string | null)[]) => [...new Set(ids.filter((id) => id !== null))];

/** The people, AIs and apps that the record concerns. */
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
  nothing: string,
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
      word: wordOf(approval, asked),
      void: nothing,
    },
    settledBy(approval, asked, caller),
  );
}

/**
 * Why an approved answer is void, as its record says (the record of an attempt before a crash is kept); empty
 * if it counts.
 */
function voidIn({ kind, signed_answer, status }: ApprovalRow): string {
  if (status !== 'approved' || !hasFollowUp(kind)) return '';
  return (JSON.parse(signed_answer ?? '{}') as { void?: string }).void ?? '';
}

/** The people who said yes, themselves or through a guardian, as events list them. */
export function approvedBy(asked: readonly RecipientRow[]) {
  return asked.flatMap(({ kind, recipient, decision, name, minor }) =>
    kind === 'person' && recipient !== null && decision === 'approved'
      ? [{ id: recipient, name: minor ? shortenName(name) : name, minor }]
      : [],
  );
}

/** The note in the answer, which groups forwards to the person who wants to join. */
function noteForJoiner({ kind, settled_by }: ApprovalRow, asked: readonly RecipientRow[]): string {
  if (kind !== 'join_request' || settled_by === null) return '';
  return asked.find(({ answered_by }) => answered_by === settled_by)?.note ?? '';
}

/** How the settling answer was given; undefined if no answer settled it. */
function wordOf({ settled_by }: ApprovalRow, asked: readonly RecipientRow[]) {
  const {
    answered_as: by = null,
    proof = null,
    via = null,
  } = asked.find(({ answered_by }) => settled_by !== null && answered_by === settled_by) ?? {};
  return by === null || proof === null || via === null ? undefined : { by, proof, via };
}

/** The caller whose answer settled it, or a caller rebuilt from the rows. */
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

/** The callback, with the settled approval as its asker sees it. */
async function callbackOf(
  context: ApprovalSigningDeps,
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
