import { day, second } from '@hearth/clock';
import { actorOf } from '@hearth/home-acts';
import type { Context } from '../context.ts';
import { type CopyErrand, copyErrandsOf, nextCopy } from '../domain/copy.ts';
import { seatsOf } from '../domain/seats.ts';
import { type AgreementCopy, copied, keptOf } from './copied.ts';
import { askOwner, callerOf, endQuestion } from './errands.ts';

/** After a failure it is tried again so much later. */
const againMs = 30 * second;
const longestMs = 14 * day;

/** Asks the people of its sides here, and tells its home what they say, as far as that is due. @param id uuid of the copy */
export async function doCopyErrands(context: Context, id: string): Promise<void> {
  const { clock, copies, log } = context;
  const [copy] = await copies.byIds([id]);
  if (copy === undefined) return;
  const row = copied(copy);
  try {
    for (const { at, kind, side } of copyErrandsOf(row)) {
      if (at > clock.now()) continue;
      if (kind === 'ask') await askOwner(context, row, side);
      if (kind === 'end') await endQuestion(context, side);
      await done(context, id, kind, side.ai);
    }
  } catch (err) {
    log.warn({ err, agreement: copy.reference }, 'a side of an agreement of another home waits');
    await copies.change(id, (_, { notes }) => ({
      notes: { ...notes, due: clock.now() + againMs },
      seats: seatsOf(row),
    }));
  }
}

/** Notes that it is done, in the transaction that sends what goes to the home. */
async function done({ clock, copies }: Context, id: string, kind: CopyErrand['kind'], ai: string) {
  await copies.change(id, async (tx, copy) => {
    const row = copied(copy);
    const errand = copyErrandsOf(row).find((one) => one.kind === kind && one.side.ai === ai);
    if (errand === undefined) return null;
    const act = actOf(copy, errand);
    if (act !== null) {
      const actor = actorOf(callerOf(errand.side));
      const expiresAt = row.status === 'open' ? row.sign_by : new Date(clock.now() + longestMs);
      await copies.send(tx, copy, { ...act, actor, via: 'home', kept: {}, expiresAt });
    }
    return keptOf(nextCopy(row, { kind: 'done', ai, errand: kind }, clock.now()));
  });
}

function actOf({ message }: AgreementCopy, { kind, side }: CopyErrand) {
  switch (kind) {
    case 'no':
    case 'leave': {
      const reason = side.noWords === undefined || side.noWords === '' ? {} : { reason: side.noWords };
      return { operation: 'decline_agreement', request: reason, by: 'rule', proof: 'key' } as const;
    }
    case 'vouch': {
      const { signature } = side;
      const signed = signature === null ? {} : { signature: { ...signature } };
      const request = { terms_digest: message.termsDigest, ...signed };
      return { operation: 'sign_agreement', request, by: 'ai', proof: 'tap' } as const;
    }
    default:
      return null;
  }
}
