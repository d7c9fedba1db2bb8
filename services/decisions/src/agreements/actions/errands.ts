import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { day, second } from '@hearth/clock';
import { actorOf } from '@hearth/home-acts';
import { printId } from '@hearth/ids';
import { CallerSchema, Via } from '@hearth/proto/common/v1/caller';
import { anonymous, type Caller, callerKinds } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { AgreementRow } from '../db/agreements.ts';
import { type AgreementParty, type Errand, errandsOf, ownerWordIn } from '../domain/agreement.ts';
import { nextCopy } from '../domain/copy.ts';
import { aiStatuses } from '../domain/enum-names.ts';
import { seatsOf } from '../domain/seats.ts';
import { copied, keptOf } from './copied.ts';

/** Limit for errands within the caller's request; after that, a job takes over. */
const timeoutMs = 3 * second;
/** Retry delay for a failed errand of a remote agreement. */
const againMs = 30 * second;
const longestMs = 14 * day;

/**
 * Runs the errands that are due: notifies sides that were let in, asks their owners, and sends acts to a
 * remote home. A job retries failures.
 */
export async function doErrands(context: Context, row: AgreementRow): Promise<AgreementRow> {
  const { clock, copies, log } = context;
  let after = row;
  let failed = false;
  for (const errand of errandsOf(row)) {
    const { at, kind, side } = errand;
    if (at > clock.now()) continue;
    try {
      if (kind === 'tell') await tell(context, row, side);
      if (kind === 'ask') await askOwner(context, row, side);
      if (kind === 'end') await endQuestion(context, side);
      after = (await markDone(context, row, errand)) ?? after;
    } catch (err) {
      failed = true;
      log.warn({ err, agreement: row.reference ?? row.id, errand: kind }, 'a side of an agreement waits');
    }
  }
  if (failed && row.reference !== undefined)
    await copies.change(row.id, (_, copy) => ({
      notes: { ...copy.notes, due: clock.now() + againMs },
      seats: seatsOf(copied(copy)),
    }));
  return after;
}

/** Marks an errand as done; for a remote agreement, in the transaction that queues the outgoing act. */
async function markDone(
  { agreements, clock, copies }: Context,
  { id, reference }: AgreementRow,
  { kind, side: { ai } }: Errand,
): Promise<AgreementRow | null> {
  const act = { kind: 'done', ai, errand: kind } as const;
  if (reference === undefined) return (await agreements.act(id, () => ({ act }))).state;
  const after = await copies.change(id, async (tx, copy) => {
    const row = copied(copy);
    const errand = errandsOf(row).find((one) => one.kind === kind && one.side.ai === ai);
    if (errand === undefined) return null;
    const said = saidThere(row, errand);
    if (said !== null) {
      const actor = actorOf(callerOf(errand.side));
      const expiresAt = row.status === 'open' ? row.sign_by : new Date(clock.now() + longestMs);
      const kept = { viewer: ai, request: said.request };
      await copies.send(tx, copy, { ...said, actor, via: 'home', kept, expiresAt });
    }
    return keptOf(nextCopy(row, act, clock.now()));
  });
  return after === null ? null : copied(after);
}

/** The act that this errand sends to the agreement's home; null for errands within this home. */
function saidThere({ terms_digest }: AgreementRow, { kind, side }: Errand) {
  switch (kind) {
    case 'no':
    case 'leave': {
      const request = {
        ...(side.noWords !== undefined && side.noWords !== '' && { reason: side.noWords }),
        ...(kind === 'leave' && { gone: true }),
      };
      return { operation: 'decline_agreement', request, by: 'rule', proof: 'key' } as const;
    }
    case 'vouch': {
      const { signature } = side;
      const signed = signature === null ? {} : { signature: { ...signature } };
      return {
        ...{ operation: 'sign_agreement', request: { terms_digest, ...signed } },
        ...({ by: 'ai', proof: 'key', ownerApproved: { ...ownerWordIn(side) } } as const),
      };
    }
    default:
      return null;
  }
}

async function tell({ config, peers }: Context, row: AgreementRow, side: AgreementParty): Promise<void> {
  const id = printId('agr', row.id);
  await peers.messages.tellParty(
    {
      to: side.ai,
      title: row.title,
      text: `I propose an agreement. Read its terms with get_agreement (${id}), then sign_agreement or decline_agreement until ${row.sign_by.toISOString()}. Its page: ${config.siteUrl}/agreements/${id}`,
      data: { agreement: id },
      requestId: `${id}.${row.sides.indexOf(side)}`,
    },
    { caller: callerOf(row.sides[0] as AgreementParty), timeoutMs },
  );
}

/** The AI itself asks its owner, so the other sides learn nothing about that person. */
async function askOwner({ peers }: Context, row: AgreementRow, side: AgreementParty): Promise<void> {
  await peers.approvals.askAgreement(
    {
      id: side.approval as string,
      owner: side.person as string,
      title: row.title,
      details: row.terms,
      expiresAt: timestampFromDate(row.sign_by),
    },
    { caller: callerOf(side), timeoutMs },
  );
}

/**
 * Withdraws the questions to owners if the agreement was declined or their side refused it. If this fails,
 * the questions expire.
 */
export async function endQuestions(context: Context, { sides, status }: AgreementRow): Promise<void> {
  for (const side of sides)
    if (status === 'declined' || side.box === 'refused') await endQuestion(context, side);
}

/** Withdraws an unanswered question to the side's owner. */
export async function endQuestion(
  { log, peers }: Context,
  { approval, approvedAt, asked }: Pick<AgreementParty, 'approval' | 'approvedAt' | 'asked'>,
): Promise<void> {
  if (approval !== null && asked && approvedAt === null)
    await peers.approvals
      .cancelAgreement({ id: approval }, { timeoutMs, caller: anonymous })
      .catch((err: unknown) => log.info({ err }, 'a question about an agreement ends with its time'));
}

/** The side's AI, as the caller of follow-up requests. */
export function callerOf({ ai, person, group, address, name, status, minor }: AgreementParty): Caller {
  return create(CallerSchema, {
    kind: callerKinds.AI,
    id: ai,
    person: person ?? '',
    group: group ?? '',
    address,
    name,
    minor,
    aiStatus: aiStatuses.valueOf(status),
    via: Via.HOME,
  });
}
