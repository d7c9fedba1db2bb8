import { parseAddress, printAddress } from '@hearth/addresses';
import { badField, notFound } from '@hearth/errors';
import { parseId, printId } from '@hearth/ids';
import { seesWhole } from '@hearth/people';
import { actorOf, type Call, type Caller, callerKinds, personOf } from '@hearth/rpc';
import { findVisible } from '../../asks/actions/find-visible.ts';
import type { RequestsContext } from '../context.ts';
import { insertReport } from '../db/reports.ts';
import { reportedEvent } from '../domain/events.ts';
import { reasonWord } from '../domain/report-reasons.ts';
import type { RequestsHandlers } from './index.ts';

/** To the operator alone; whom it is about never hears of it. */
export const report =
  (context: RequestsContext): RequestsHandlers['report'] =>
  async ({ about, reason, text }, call) => {
    const { database, outbox } = context;
    const word = reasonWord(reason);
    if (word === null) throw badField('reason', 'say what for, such as spam or child_safety');
    const subject = await subjectOf(context, about, call);
    const row = newReport(context, subject, word, text, call.caller);
    const event = reportedEvent(outbox, row, actorOf(call.caller));
    await database.transaction(async (tx) => {
      await insertReport(tx, row);
      await outbox.announce(tx, [event]);
    });
    outbox.committed([event]);
    return { id: printId('rpt', row.id) };
  };

/** A report as it is stored. */
export function newReport(
  { clock, ids }: Pick<RequestsContext, 'clock' | 'ids'>,
  about: string,
  reason: string,
  text: string | undefined,
  caller: Caller,
) {
  const kinds: Readonly<Record<number, string>> = {
    [callerKinds.AI]: 'ai',
    [callerKinds.PERSON]: 'person',
    [callerKinds.APP]: 'app',
  };
  return {
    id: ids.uuid(),
    about,
    reason,
    text: text ?? '',
    byKind: kinds[caller.kind] ?? 'ai',
    byId: caller.id,
    byAddress: caller.address,
    at: new Date(clock.now()),
  };
}

/**
 * What is reported, as the operator reads it. What the caller cannot see is not there; of posts and groups nothing is told
 * to who is not in them, so that their ids are taken as they are.
 *
 * @throws not_found, bad_field
 */
async function subjectOf(context: RequestsContext, about: string, call: Call): Promise<string> {
  const { homeNames, people, peers, messages } = context;
  const { caller } = call;
  const message = parseId('msg', about);
  if (message !== null) {
    const viewers = [...new Set([caller.id, personOf(caller) ?? caller.id])];
    const seen = await Promise.all(
      viewers.map((viewer) => messages.findSeenMessage({ viewer, id: message }, { call })),
    );
    if (!seen.some((one) => one.seen)) throw notFound();
    return about;
  }
  if (parseId('apr', about) !== null) {
    await findVisible(context, about, caller);
    return about;
  }
  if (parseId('pst', about) !== null || parseId('grp', about) !== null) return about;
  if (/^(?:shp|per)_/.test(about)) {
    const facts = await people.resolve(about, caller);
    if (facts === null) throw notFound();
    return printId('per', facts.id);
  }
  const address = parseAddress(about, homeNames);
  if (address === null)
    throw badField('about', 'must be a msg_, pst_, apr_ or grp_ id, or an address such as @handle');
  const printed = printAddress(address);
  if (address.home !== undefined || address.kind === 'group') return printed;
  const { results } = await peers.identity.findProfiles({ addresses: [printed] }, { call });
  const profile = results[0]?.profile;
  if (profile === undefined) throw notFound();
  if (!profile.minor) return printed;
  // Somebody under 18 and their AIs are found by their addresses by those alone who see them as they are.
  const facts = await people.findOne(profile.person ? profile.id : profile.owner);
  if (facts === null || !seesWhole(facts, caller)) throw notFound();
  return profile.person ? printId('per', facts.id) : printed;
}
