import { parseAddress, parseReference, printAddress } from '@hearth/addresses';
import { badField, notFound } from '@hearth/errors';
import { parseId, printId } from '@hearth/ids';
import { RequestsService } from '@hearth/proto/approvals/v1/requests';
import type { Call, UnaryHandler } from '@hearth/rpc';
import { findSeenMessages } from '../actions/find-seen-messages.ts';
import { findProfile } from '../actions/find-target.ts';
import type { Asker, Context } from '../context.ts';
import { insertReport } from '../db/reports.ts';
import { reportedEvent } from '../domain/events.ts';
import { newReport, reasons } from '../domain/reports.ts';

/** The subject as the operator reads it, with its author unless it is a party itself. */
interface Subject {
  about: string;
  author?: string;
}

/** Reports to the operator only; the subject never learns of it. */
export const report =
  (context: Context): UnaryHandler<typeof RequestsService.method.report> =>
  async (request, call) => {
    const { clock, commit, idempotency, ids } = context;
    const { caller } = call;
    const reason = reasons.nameOf(request.reason);
    if (reason === '') throw badField('reason', 'say what for, such as spam or child_safety');
    return await idempotency.once(call, RequestsService.method.report, request, {
      async make(claim) {
        const subject = await subjectOf(context, request.about, call);
        const at = new Date(clock.now());
        const row = newReport({ id: ids.uuid(), at }, { ...subject, reason, text: request.text }, caller);
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
 * The subject as the operator reads it. Fails for a subject that the caller cannot see. Group ids are
 * accepted unchecked, since the response reveals nothing about the group.
 *
 * @throws not_found, bad_field
 */
async function subjectOf(context: Context, about: string, call: Call): Promise<Subject> {
  const { asks, commons, homeNames, people } = context;
  const { caller } = call;
  const message = parseId('msg', about);
  if (message !== null) {
    const author = await authorOf(context, message, call);
    if (author === null) throw notFound();
    return { about, author };
  }
  const reference = parseReference(about, homeNames);
  if (parseId('apr', about) !== null || reference?.id.startsWith('apr_') === true) {
    const { approval } = await asks().findVisible(about, caller);
    return { about, author: askerOf(approval) };
  }
  if (reference !== null) {
    const author = await authorOf(context, about, call);
    if (author !== null) return { about, author };
    // Ids of groups on other homes are also accepted unchecked.
    if (!reference.id.startsWith('grp_')) throw notFound();
    return { about };
  }
  if (parseId('pst', about) !== null) {
    const { seen, author } = await commons.findSeenPost({ id: about }, { call });
    if (!seen) throw notFound();
    return { about, author };
  }
  if (parseId('grp', about) !== null) return { about };
  if (/^(?:shp|per)_/.test(about)) {
    const facts = await people.resolve(about, caller);
    if (facts === null) throw notFound();
    return { about: printId('per', facts.id) };
  }
  const address = parseAddress(about, homeNames);
  if (address === null)
    throw badField('about', 'must be a msg_, pst_, apr_ or grp_ id, or an address such as @handle');
  const printed = printAddress(address);
  if (address.home !== undefined || address.kind === 'group') return { about: printed };
  const profile = await findProfile(context, printed, call);
  if (profile === null) throw notFound();
  return { about: profile.minor && profile.person ? printId('per', profile.id) : printed };
}

/**
 * The author of a message that the caller or their person sent or received, or of a group post they can read;
 * null for any other.
 */
async function authorOf(context: Context, id: string, call: Call): Promise<string | null> {
  const [sent, post] = await Promise.all([
    findSeenMessages(context, id, call),
    context.groupPosts.findSeenGroupPost({ id }, { call }),
  ]);
  return [...sent, post].find(({ seen }) => seen)?.author ?? null;
}

function askerOf({ asker, asker_kind, asker_address }: Asker): string {
  if (asker === null || asker_kind === 'home') return asker_address;
  return printId(asker_kind === 'ai' ? 'ai' : 'per', asker);
}
