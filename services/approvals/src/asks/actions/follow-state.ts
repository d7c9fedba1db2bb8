import { timestampDate } from '@bufbuild/protobuf/wkt';
import { parseReference } from '@hearth/addresses';
import { hour } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { disputedNotices, isSigned, recordDispute } from '@hearth/home-acts';
import { sizeOf } from '@hearth/limits';
import type { HomeAsk, HomeAskPerson } from '@hearth/proto/approvals/v1/home_asks';
import type { JsonObject } from '@hearth/signing';
import type { Context } from '../context.ts';
import type { ApprovalRow } from '../db/approvals.ts';
import { type SaidAnswer, storeSaid, storeState } from '../db/home-places.ts';
import type { GivenAnswer, RecipientRow } from '../db/recipients.ts';
import { settleApprovals } from '../db/settle.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import { isDelivered } from '../domain/answerer.ts';
import { decisions, statuses } from '../domain/enum-names.ts';
import { approvalSettled, askPath, type Notified, noticesOf } from '../domain/events.ts';
import type { Status, Why } from '../domain/machine.ts';
import { approvalsTopic, approvalTopic } from '../domain/topics.ts';
import { recordSettled } from './metrics.ts';
import { isAsAnswered, isOtherAnswer, type OwnAnswer, ownAnswer } from './own-answer.ts';
import { approvedBy } from './sign-approval.ts';
import type { SaidAsk } from './take-state.ts';

/** The reasons that other homes may give. */
const whys: readonly string[] = ['by_rule', 'recipient_gone'] satisfies Why[];

/**
 * Updates the local copy of another home's ask to a received state. Ignores a state whose revision is not
 * newer, and any state after the end.
 *
 * @param id uuid
 * @returns false if the state has another digest: it is a different ask under the same reference
 */
export async function followState(context: Context, id: string, said: SaidAsk): Promise<boolean> {
  const { approvals, batched, clock, limits } = context;
  const before = await batched.find(id);
  if (before === null) return true;
  const facts = await context.people.find(before.recipients.flatMap(({ person }) => person ?? []));
  const record = await signedBy(context, said);
  return await approvals.locked(id, async (tx, { approval, recipients }) => {
    if (approval.digest !== said.ask.digest) return false;
    if (said.rev <= approval.rev || approval.status !== 'waiting') return true;
    const now = new Date(clock.now());
    const given = await givenHere(context, recipients, tx);
    const answers = recipients.flatMap((row) => saidOf(row, said.ask.people[row.position], given, now) ?? []);
    await storeSaid(tx, answers);
    const settlement = settlementOf(context, said.ask, now);
    const own = new Map(recipients.map((row) => [row.position, ownAnswer(row, given)]));
    const others = recipients.filter((row) =>
      isOtherAnswer(row, said.ask.people[row.position], own.get(row.position)!, settlement !== null),
    );
    const ofHere = recipients.flatMap((row): [string, OwnAnswer][] => {
      const answer = row.recipient === null ? null : own.get(row.position)!;
      return answer === null ? [] : [[row.address, answer]];
    });
    const counts = record !== null && isAsAnswered(record, new Map(ofHere), context.homeNames.ownHome);
    const isDisputed = others.length > 0 || (record !== null && !counts);
    const after = {
      ...afterOf({ approval, recipients }, { ...said, signed: counts ? said.signed : null }, settlement),
      disputed: isDisputed ? ('now' as const) : approval.disputed && ('before' as const),
    };
    if (isDisputed && approval.disputed === null) {
      const thing = { kind: 'approval', id, title: approval.title, link: askPath(id) };
      recordDispute(context.log, { home: approval.home ?? '', reference: said.reference });
      const told = others.flatMap(({ person }) => facts.get(person ?? '') ?? []);
      tx.announce(...disputedNotices(thing, told));
    }
    const reminds = settlement === null && isReminded(approval, said.ask, now, limits);
    await storeState(tx, { ...after, reminded_at: reminds ? now : approval.reminded_at });
    const owners = recipients.flatMap(({ owner }) => owner ?? []);
    tx.wake(approvalTopic(id), ...owners.map(approvalsTopic));
    const asked = recipients.filter((recipient) => isDelivered(recipient) && recipient.recipient !== null);
    if (reminds) {
      const notified = asked.flatMap(({ person, decision, handling }): Notified[] => {
        const found = facts.get(person ?? '');
        const waits = decision === 'waiting' && handling === 'delivered' && found !== undefined;
        return waits ? [{ person: found, child: null }] : [];
      });
      tx.announce(...noticesOf(after, notified, { reminder: true }));
    }
    if (settlement === null) return true;
    await settleApprovals(tx, [{ id, settlement, position: null, given: null }]);
    recordSettled({ status: settlement.status, kind: approval.kind });
    const answered = asked.map((row) => ({
      ...row,
      ...answers.find(({ position }) => position === row.position),
    }));
    tx.announce(
      // The asker is notified by their own home.
      approvalSettled(
        { ...after, ...settlement, asker: null, asker_person: null, record: null },
        {
          to: asked.flatMap(({ recipient }) => recipient ?? []),
          apps: [...facts.values()].map(({ app }) => app),
          ...{ topics: [], note: '', approvedBy: approvedBy(answered), void: '' },
        },
        undefined,
      ),
    );
    return true;
  });
}

/** The signed record in a state, if the home of the ask signed it; else null. */
async function signedBy({ homeNames, peers }: Context, { reference, signed }: SaidAsk) {
  const record = signed === null ? null : (JSON.parse(signed) as JsonObject);
  const home = parseReference(reference, homeNames)?.home ?? '';
  return record !== null && (await isSigned(peers.records, record, home, reference)) ? record : null;
}

function afterOf(
  { approval }: WholeApproval,
  { ask, rev, signed }: SaidAsk,
  settlement: Pick<ApprovalRow, 'status'> | null,
): ApprovalRow {
  const reminders = Math.max(approval.reminders, ask.reminders ?? 0);
  return { ...approval, rev, reminders, signed_answer: settlement === null ? null : signed };
}

/** Null while the ask waits. */
function settlementOf({ ids }: Context, ask: HomeAsk, now: Date) {
  const status = statuses.nameOf(ask.status) as Status;
  if (status === 'waiting') return null;
  const why = whys.includes(ask.why ?? '') ? (ask.why as Why) : null;
  const settled_at = ask.settledAt === undefined ? now : notAfter(timestampDate(ask.settledAt), now);
  return { status, why, settled_at, settled_by: null, record: ids.uuid() };
}

/** A past time by another home's clock, which may be ahead: at most now. */
const notAfter = (at: Date, now: Date) => (at > now ? now : at);

/** act id -> its answer, for acts still in flight */
async function givenHere(
  { sentActs }: Pick<Context, 'sentActs'>,
  recipients: readonly RecipientRow[],
  tx: Tx,
): Promise<Map<string, GivenAnswer>> {
  const given = new Map<string, GivenAnswer>();
  for (const { act: id } of recipients) {
    const act = id === null ? null : await sentActs.find(id, tx);
    const { given: answer } = (act?.kept ?? {}) as { given?: GivenAnswer | null };
    if (act !== null && answer) given.set(act.id, { ...answer, at: new Date(answer.at) });
  }
  return given;
}

/**
 * The answer of a recipient as their ask's home reports it; null while there is none. A local recipient's
 * answer counts only if this home sent it: otherwise another home could invent it.
 */
function saidOf(
  row: RecipientRow,
  said: HomeAskPerson | undefined,
  given: ReadonlyMap<string, GivenAnswer>,
  now: Date,
): SaidAnswer | null {
  const decision = decisions.nameOf(said?.decision ?? 0);
  if (said === undefined || (decision !== 'approved' && decision !== 'declined')) return null;
  // A recipient whose rule declined here did not answer.
  if (!isDelivered(row) || row.decision === decision) return null;
  const place = { approval: row.approval, position: row.position };
  // Another home cannot answer for a local person or AI that it did not ask.
  if (row.recipient === null && row.address.startsWith('@')) return null;
  if (row.recipient !== null) {
    const own = given.get(row.act ?? '');
    return own?.decision === decision ? { ...place, ...own } : null;
  }
  return {
    ...{ ...place, decision, at: said.at === undefined ? null : notAfter(timestampDate(said.at), now) },
    ...{ answer: said.answer ?? null, note: said.note ?? null },
    as: said.by === 'ai' ? 'ai' : said.by === 'person' ? 'person' : null,
  };
}

/** Whether the asker sent a reminder, within the bounds for local askers. */
function isReminded(
  { reminders, reminded_at: at }: ApprovalRow,
  ask: HomeAsk,
  now: Date,
  limits: Context['limits'],
): boolean {
  const said = ask.reminders ?? 0;
  if (said <= reminders || said > sizeOf(limits, 'ask_reminders')) return false;
  return at === null || at.getTime() + sizeOf(limits, 'ask_reminder_hours') * hour <= now.getTime();
}
