import { timestampDate } from '@bufbuild/protobuf/wkt';
import { badField, notFound } from '@hearth/errors';
import { isMinor, shortenName } from '@hearth/people';
import { anyone } from '@hearth/rpc';
import { announceAsk } from '../actions/announce-ask.ts';
import { type AskedContent, askRows } from '../actions/ask-rows.ts';
import type { Asker } from '../actions/find-asker.ts';
import type { Reached } from '../actions/reach-recipients.ts';
import { groupColumns } from '../actions/read-ask.ts';
import { personRecipient } from '../actions/read-recipients.ts';
import { writeAsk } from '../actions/write-ask.ts';
import type { Context } from '../context.ts';
import type { ApprovalsHandlers } from './index.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Asks organizers whether somebody may join their group, or guardians whether their child may. Any of them answers. */
export const askJoin =
  (context: Context): ApprovalsHandlers['askJoin'] =>
  async (request) => {
    const { clock, peers, people } = context;
    for (const field of ['id', 'group', 'invite', 'person'] as const) {
      if (!uuid.test(request[field])) throw badField(field, 'must be a uuid');
    }
    const [joiner, { results }, asked] = await Promise.all([
      people.findOne(request.person),
      peers.groups.findGroups({ ids: [request.group] }, { caller: anyone }),
      people.find(request.to),
    ]);
    const group = results[0]?.group;
    if (joiner === null || group === undefined || asked.size === 0) throw notFound();

    const minor = isMinor(joiner);
    const name = minor ? shortenName(joiner.name) : joiner.name;
    const now = new Date(clock.now());
    const content: AskedContent = {
      id: request.id,
      kind: 'join_request',
      request_kind: 'other',
      title: titleOf(request.role, name, group.name),
      details: request.note || null,
      choices: [],
      free_text: false,
      needs: 'any',
      about: minor ? joiner.id : null,
      ...groupColumns(group),
      item_ref: request.itemRef || null,
      preview: null,
      callback: null,
      invite: request.invite,
      joiner: joiner.id,
      request_scope: null,
      request_id: null,
      request_digest: null,
      asked_at: now,
      expires_at: request.expiresAt === undefined ? now : timestampDate(request.expiresAt),
    };
    const asker: Asker = {
      kind: 'person',
      id: joiner.id,
      person: joiner,
      app: null,
      group: null,
      address: `@${joiner.handle}`,
      name,
      verified: !joiner.guest || joiner.app !== '',
      minor,
      checked: true,
    };
    const reached = [...asked.values()].map(
      (person): Reached => ({
        recipient: personRecipient(person),
        person: person.id,
        handling: 'delivered',
        owner: person.id,
        box: 'inbox',
        front_door: null,
        guards: request.role === 'guardian' ? joiner.id : null,
        requestKind: 'other',
        quiet: false,
      }),
    );
    const rows = askRows(context, content, asker, reached);
    await writeAsk(context, rows, await announceAsk(context, rows, reached, undefined));
    return {};
  };

function titleOf(role: string, name: string, group: string): string {
  return role === 'guardian' ? `May ${name} join ${group}?` : `${name} wants to join ${group}`;
}
