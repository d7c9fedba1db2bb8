import { timestampDate } from '@bufbuild/protobuf/wkt';
import { badField, notFound } from '@hearth/errors';
import { isUuid } from '@hearth/ids';
import { isMinor } from '@hearth/people';
import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { UnaryHandler } from '@hearth/rpc';
import { announceAsk } from '../actions/announce-ask.ts';
import { askRows, blankContent } from '../actions/ask-rows.ts';
import { findAsker } from '../actions/find-asker.ts';
import { inInbox } from '../actions/place-recipients.ts';
import { writeAsk } from '../actions/write-ask.ts';
import type { Context } from '../context.ts';

/**
 * Asks an AI's owner whether its signature of an agreement counts. For an owner under 18, asks the guardians,
 * who have to tap.
 */
export const askAgreement =
  (context: Context): UnaryHandler<typeof ApprovalsService.method.askAgreement> =>
  async ({ id, owner, title, details, expiresAt }, { caller }) => {
    const { clock, people } = context;
    if (!isUuid(id)) throw badField('id', 'must be a uuid');
    const [asker, person] = await Promise.all([findAsker(context, caller), people.findOne(owner)]);
    if (person === null) throw notFound();
    const child = isMinor(person) && person.guardians.length > 0 ? person : null;
    const asked = child === null ? [person] : [...(await people.find(child.guardians)).values()];
    const now = new Date(clock.now());
    const content = {
      ...blankContent,
      id,
      kind: 'agreement',
      title,
      details,
      about: child?.id ?? null,
      asked_at: now,
      expires_at: expiresAt === undefined ? now : timestampDate(expiresAt),
    };
    const placements = asked.map((one) => inInbox(one, child?.id ?? null));
    const rows = askRows(context, content, asker, placements);
    await writeAsk(context, rows, await announceAsk(context, rows, placements, caller));
    return {};
  };
