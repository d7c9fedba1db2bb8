import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { second } from '@hearth/clock';
import { printId } from '@hearth/ids';
import { CallerSchema, Via } from '@hearth/proto/common/v1/caller';
import { anonymous, type Caller, callerKinds } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { AgreementRow } from '../db/agreements.ts';
import { errandsOf, type Side } from '../domain/agreement.ts';
import { aiStatuses } from '../domain/enum-names.ts';
import { agreementPath } from '../domain/link.ts';

/** The caller who starts it waits no longer than that; a job goes on then. */
const timeoutMs = 3 * second;

/** Tells the sides that were let in, and asks their owners, where that works; a job does it later where it does not. */
export async function doErrands(context: Context, row: AgreementRow): Promise<AgreementRow> {
  const { agreements, log } = context;
  let after = row;
  for (const { kind, side } of errandsOf(row)) {
    try {
      await (kind === 'tell' ? tell(context, row, side) : askOwner(context, row, side));
      const done = await agreements.act(row.id, () => ({ act: { kind: 'done', ai: side.ai, errand: kind } }));
      after = done.state;
    } catch (err) {
      log.warn({ err, agreement: row.id, errand: kind }, 'a side of an agreement waits');
    }
  }
  return after;
}

async function tell({ config, peers }: Context, row: AgreementRow, side: Side): Promise<void> {
  const id = printId('agr', row.id);
  await peers.messages.tellParty(
    {
      to: side.ai,
      title: row.title,
      text: `I propose an agreement. Read its terms with get_agreement (${id}), then sign_agreement or decline_agreement until ${row.sign_by.toISOString()}. Its page: ${config.siteUrl}${agreementPath(row.id)}`,
      data: { agreement: id },
      requestId: `${id}.${row.sides.indexOf(side)}`,
    },
    { caller: callerOf(row.sides[0] as Side), timeoutMs },
  );
}

/** The AI asks its own person, so that the other sides learn nothing of them. */
export async function askOwner(
  { peers }: Pick<Context, 'peers'>,
  row: AgreementRow,
  side: Side,
): Promise<void> {
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

/** Questions to owners end with an agreement that ended without them, or for their side. Their time ends them where this does not. */
export async function endQuestions(context: Context, { sides, status }: AgreementRow): Promise<void> {
  for (const side of sides)
    if (status === 'declined' || side.box === 'refused') await endQuestion(context, side);
}

/** Its owner is asked no more, where they were and gave no answer. */
export async function endQuestion(
  { log, peers }: Context,
  { approval, approvedAt, asked }: Pick<Side, 'approval' | 'approvedAt' | 'asked'>,
): Promise<void> {
  if (approval !== null && asked && approvedAt === null)
    await peers.approvals
      .cancelAgreement({ id: approval }, { timeoutMs, caller: anonymous })
      .catch((err: unknown) => log.info({ err }, 'a question about an agreement ends with its time'));
}

/** The AI of a side, in whose name something is done. */
export function callerOf({ ai, person, group, address, name, status, minor }: Side): Caller {
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
