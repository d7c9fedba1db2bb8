import { timestampDate } from '@bufbuild/protobuf/wkt';
import { badField, notFound } from '@hearth/errors';
import { english, t } from '@hearth/i18n';
import { isUuid } from '@hearth/ids';
import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import { anonymous, type UnaryHandler } from '@hearth/rpc';
import { type AskContent, blankContent } from '../actions/ask-rows.ts';
import { askThese } from '../actions/ask-these.ts';
import { personAsker } from '../actions/find-asker.ts';
import { inInbox } from '../actions/place-recipients.ts';
import { groupColumns } from '../actions/read-ask.ts';
import type { Context } from '../context.ts';

/**
 * Asks organizers whether a person may join their group, or guardians whether their child may. One answer is
 * enough.
 */
export const askJoin =
  (context: Context): UnaryHandler<typeof ApprovalsService.method.askJoin> =>
  async (request) => {
    const { clock, peers, people } = context;
    for (const field of ['id', 'group', 'invite', 'person'] as const) {
      if (!isUuid(request[field])) throw badField(field, 'must be a uuid');
    }
    const [joiner, { results }, asked] = await Promise.all([
      people.everywhere.findOne(request.person),
      peers.groups.findGroups({ ids: [request.group] }, { caller: anonymous }),
      people.find(request.to),
    ]);
    const group = results[0]?.group;
    if (joiner === null || group === undefined || asked.size === 0) throw notFound();

    const asker = personAsker(joiner);
    const now = new Date(clock.now());
    const content: AskContent = {
      ...blankContent,
      id: request.id,
      kind: 'join_request',
      title: titleOf(request.role, asker.name, group.name),
      details: request.note || null,
      about: asker.minor ? joiner.id : null,
      ...groupColumns(group),
      item_ref: request.itemRef || null,
      item_app: request.itemApp || null,
      invite: request.invite,
      joiner: joiner.id,
      asked_at: now,
      expires_at: request.expiresAt === undefined ? now : timestampDate(request.expiresAt),
    };
    const guards = request.role === 'guardian' ? joiner.id : null;
    const placements = [...asked.values()].map((person) => inInbox(person, guards));
    await askThese(context, content, asker, placements);
    return {};
  };

function titleOf(role: string, name: string, group: string): string {
  const values = { name, group };
  return english.words(
    role === 'guardian' ? t('ask.join-guardian', values) : t('ask.join-organizer', values),
  );
}
