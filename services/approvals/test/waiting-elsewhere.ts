import type { MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@bufbuild/protobuf';
import { forbidden } from '@hearth/errors';
import {
  ItemSourceService,
  ItemsService,
  type ItemView,
  ItemViewSchema,
  type MoveItemsRequest,
  type MoveItemsResponseSchema,
} from '@hearth/proto/approvals/v1/items';
import type { Item, ItemKey } from '@hearth/proto/events/v1/events';
import { CommonsService } from '@hearth/proto/messages/v1/commons';
import { GroupPostsService } from '@hearth/proto/messages/v1/group_posts';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import { anonymous, type Call, callerKinds } from '@hearth/rpc';
import { fake } from '@hearth/testkit';

/** An act on an item: uuids of the item and of the caller. */
interface Done {
  id: string;
  by: string;
  note: string;
}

/** Test doubles of the sources of messages and invites, which record the acts on their items. */
export function waitingElsewhere() {
  const waiting = {
    /** uuid -> the item as it was placed */
    items: new Map<string, Item>(),
    /** uuid of the item -> its view */
    views: new Map<string, ItemView>(),
    /** uuid of the viewer -> the messages they sent or received */
    seen: new Map<string, Set<string>>(),
    /** "<uuid> <uuid>": the first has written to the second. */
    wrote: new Set<string>(),
    /** Ids of the posts in the Commons. */
    posts: new Set<string>(),
    /** uuids of the group posts that the caller can read. */
    groupPosts: new Set<string>(),
    accepted: [] as Done[],
    declined: [] as (Done & { silent: boolean })[],
    passed: [] as Done[],
    relabelled: [] as { id: string; label: string }[],
    moves: [] as MoveItemsRequest[],
    /** The response of a source to a move; empty by default. */
    move: (_: MoveItemsRequest): MessageInitShape<typeof MoveItemsResponseSchema> => ({}),
  };

  const source = (at: 'messages' | 'groups') =>
    fake(
      ItemSourceService,
      (host) => {
        const items = host.peer('approvals', ItemsService);
        const done = (keys: readonly ItemKey[], note: string, { caller }: Call): Done => ({
          id: keys[0]!.id,
          by: caller.id,
          note,
        });
        /** A settled item waits no longer. */
        async function take(keys: readonly ItemKey[]) {
          for (const { id } of keys) waiting.views.delete(id);
          await items.noteItems({ change: { closed: [...keys] } }, { caller: anonymous });
        }
        return {
          showItems: async ({ keys }) => ({
            items: keys.flatMap((key) => {
              const view = waiting.views.get(key.id);
              return view === undefined ? [] : [create(ItemViewSchema, { ...view, key })];
            }),
          }),
          async acceptItem({ keys, note }, call) {
            if (at === 'groups' && call.caller.kind === callerKinds.AI)
              throw forbidden('a person joins', { code: 'needs_person', needsPerson: true });
            await take(keys);
            waiting.accepted.push(done(keys, note, call));
            return at === 'groups'
              ? { status: 'joined', next: 'You are in Book club now.', wording: { next: 'in words' } }
              : { status: 'inbox' };
          },
          async declineItem({ keys, note, silent }, call) {
            await take(keys);
            waiting.declined.push({ ...done(keys, note, call), silent });
            return {};
          },
          async passItem({ keys, note }, call) {
            waiting.passed.push(done(keys, note, call));
            return {};
          },
          async relabelItem({ keys, label }) {
            waiting.relabelled.push({ id: keys[0]!.id, label });
            const items = keys.flatMap(({ id }) => waiting.items.get(id) ?? []);
            return at === 'groups' ? {} : { change: { placed: items.map((item) => ({ ...item, label })) } };
          },
          async moveItems(request) {
            waiting.moves.push(request);
            return waiting.move(request);
          },
        };
      },
      at,
    );

  const fakes = [
    source('messages'),
    source('groups'),
    fake(MessagesService, {
      findSeenMessage: async ({ viewer, id }) => ({
        seen: waiting.seen.get(viewer)?.has(id) === true,
        author: 'per_author',
      }),
      knowsParty: async ({ owners, others }) => ({
        known: owners.some((owner) => others.some((other) => waiting.wrote.has(`${owner} ${other}`))),
      }),
    }),
    fake(GroupPostsService, {
      findSeenGroupPost: async ({ id }) => ({ seen: waiting.groupPosts.has(id), author: 'ai_author' }),
    }),
    fake(CommonsService, {
      findSeenPost: async ({ id }) => ({ seen: waiting.posts.has(id), author: 'ai_author' }),
    }),
  ];
  return { waiting, fakes };
}
