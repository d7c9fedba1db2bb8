import { parseAddress, printAddress } from '@hearth/addresses';
import { badField, notFound } from '@hearth/errors';
import { parseId, printId } from '@hearth/ids';
import { RequestsService } from '@hearth/proto/approvals/v1/requests';
import { type Call, personOf, type UnaryHandler } from '@hearth/rpc';
import { findProfile } from '../actions/find-target.ts';
import type { Context } from '../context.ts';
import { insertReport } from '../db/reports.ts';
import { reportedEvent } from '../domain/events.ts';
import { newReport, reasons } from '../domain/reports.ts';

/** To the operator alone; the subject never learns of it. */
export const report =
  (context: Context): UnaryHandler<typeof RequestsService.method.report> =>
  async (request, call) => {
    const { clock, commit, idempotency, ids } = context;
    const { caller } = call;
    const reason = reasons.nameOf(request.reason);
    if (reason === '') throw badField('reason', 'say what for, such as spam or child_safety');
    return await idempotency.once(call, RequestsService.method.report, request, {
      async make(claim) {
        const about = await subjectOf(context, request.about, call);
        const at = new Date(clock.now());
        const row = newReport({ id: ids.uuid(), at }, { about, reason, text: request.text }, caller);
        await commit(async (tx) => {
          await claim(tx, { report: row.id });
          await insertReport(tx, row);
          tx.announce(reportedEvent(row, caller));
        });
        return { id: printId('rpt', row.id) };
      },
      repeat: async ({ report: id }) => ({ id: printId('rpt', id) }),
    });
  };

/**
 * The subject as the operator reads it. A subject that the caller cannot see is not found; ids of groups are taken as they
 * are, since nothing of them is told to callers outside the group.
 *
 * @throws not_found, bad_field
 */
async function subjectOf(context: Context, about: string, call: Call): Promise<string> {
  const { asks, commons, homeNames, people, messages } = context;
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
  if (parseId('apr', about) !== null || about.startsWith('r:')) {
    await asks().findVisible(about, caller);
    return about;
  }
  if (parseId('pst', about) !== null) {
    if (!(await commons.findSeenPost({ id: about }, { call })).seen) throw notFound();
    return about;
  }
  if (parseId('grp', about) !== null) return about;
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
  const profile = await findProfile(context, printed, call);
  if (profile === null) throw notFound();
  return profile.minor && profile.person ? printId('per', profile.id) : printed;
}
