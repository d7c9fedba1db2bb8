import { timestampDate } from '@bufbuild/protobuf/wkt';
import { badField, notFound } from '@hearth/errors';
import { isUuid } from '@hearth/ids';
import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import { anonymous, type UnaryHandler } from '@hearth/rpc';
import { blankContent } from '../actions/ask-rows.ts';
import { askThese } from '../actions/ask-these.ts';
import { findAsker } from '../actions/find-asker.ts';
import { inInbox } from '../actions/place-recipients.ts';
import { groupColumns } from '../actions/read-ask.ts';
import type { Context } from '../context.ts';

/** Asks organizers whether a plan of their group should begin. One answer is enough. */
export const askPlan =
  (context: Context): UnaryHandler<typeof ApprovalsService.method.askPlan> =>
  async ({ id, group, to, title, details, expiresAt }, { caller }) => {
    const { clock, peers, people } = context;
    if (!isUuid(id)) throw badField('id', 'must be a uuid');
    if (!isUuid(group)) throw badField('group', 'must be a uuid');
    const [asker, { results }, asked] = await Promise.all([
      findAsker(context, caller),
      peers.groups.findGroups({ ids: [group] }, { caller: anonymous }),
      people.find(to),
    ]);
    const found = results[0]?.group;
    if (found === undefined || asked.size === 0) throw notFound();
    const now = new Date(clock.now());
    const content = {
      ...blankContent,
      id,
      kind: 'plan',
      title,
      details,
      ...groupColumns(found),
      asked_at: now,
      expires_at: expiresAt === undefined ? now : timestampDate(expiresAt),
    };
    const placements = [...asked.values()].map((person) => inInbox(person));
    await askThese(context, content, asker, placements, caller);
    return {};
  };
