import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { notFound } from '@hearth/errors';
import {
  type Invitation,
  InvitationSchema,
  InvitationsService,
  type ListInvitationsRequest,
} from '@hearth/proto/groups/v1/invitations';
import { JoinStatus } from '@hearth/proto/groups/v1/invites';
import {
  type DeclineThreadRequest,
  type MoveThreadRequest,
  type RelabelThreadRequest,
  type RequestMessage,
  RequestMessageSchema,
  RequestMessagesService,
  type RequestsViewer,
} from '@hearth/proto/messages/v1/request_messages';
import { fake } from '@hearth/testkit';

export const newMessage = (fields: MessageInitShape<typeof RequestMessageSchema>): RequestMessage =>
  create(RequestMessageSchema, fields);

export const newInvitation = (fields: MessageInitShape<typeof InvitationSchema>): Invitation =>
  create(InvitationSchema, fields);

/** The items that wait in the services of messages and groups, and the acts on them. */
export function waitingElsewhere() {
  const waiting = {
    messages: [] as RequestMessage[],
    /** person -> invites */
    invitations: new Map<string, Invitation[]>(),
    /** uuid of the viewer -> the messages that they sent or received */
    seen: new Map<string, Set<string>>(),
    moved: [] as MoveThreadRequest[],
    declined: [] as DeclineThreadRequest[],
    relabelled: [] as RelabelThreadRequest[],
    accepted: [] as { id: string; by: string; note: string }[],
    sentBack: [] as { id: string; by: string }[],
  };
  const mine = (viewer: RequestsViewer | undefined) => waiting.messages.filter(sees(viewer));
  const find = (viewer: RequestsViewer | undefined, id: string) => mine(viewer).find((one) => one.id === id);

  /** It waits no more. */
  function take({ viewer, message: id }: MoveThreadRequest | DeclineThreadRequest): void {
    const message = find(viewer, id);
    if (message === undefined) throw notFound();
    waiting.messages = waiting.messages.filter((one) => one !== message);
  }

  const invitesOf = (person: string) => waiting.invitations.get(person) ?? [];
  function takeInvite(person: string, id: string): void {
    const others = invitesOf(person).filter((one) => one.id !== id);
    if (others.length === invitesOf(person).length) throw notFound();
    waiting.invitations.set(person, others);
  }

  const fakes = [
    fake(RequestMessagesService, {
      async listRequestMessages(request) {
        const { viewer, kind } = request;
        const wanted = mine(viewer).filter((message) => kind === undefined || message.kind === kind);
        return { messages: page(wanted, request) };
      },
      countRequestMessages: async ({ viewer }) => ({
        count: mine(viewer).length,
        oldest: mine(viewer)[0]?.at,
      }),
      async findRequestMessage({ viewer, id }) {
        const message = find(viewer, id);
        return message === undefined ? {} : { message };
      },
      async moveThread(request) {
        take(request);
        waiting.moved.push(request);
        return { moved: 1 };
      },
      async declineThread(request) {
        take(request);
        waiting.declined.push(request);
        return { declined: 1 };
      },
      async relabelThread(request) {
        if (find(request.viewer, request.message) === undefined) throw notFound();
        waiting.relabelled.push(request);
        return { relabelled: 1 };
      },
      findSeenMessage: async ({ viewer, id }) => ({ seen: waiting.seen.get(viewer)?.has(id) === true }),
    }),
    fake(InvitationsService, {
      listInvitations: async (request) => ({ invitations: page(invitesOf(request.person), request) }),
      async findInvitation({ person, id }) {
        const invitation = invitesOf(person).find((one) => one.id === id);
        return invitation === undefined ? {} : { invitation };
      },
      async acceptInvitation({ id, note }, { caller }) {
        takeInvite(caller.id, id);
        waiting.accepted.push({ id, by: caller.id, note });
        return { status: JoinStatus.JOINED, next: 'You are in Book club now.' };
      },
      async declineInvitation({ id }, { caller }) {
        takeInvite(caller.person || caller.id, id);
        waiting.sentBack.push({ id, by: caller.id });
        return {};
      },
    }),
  ];
  return { waiting, fakes };
}

type Timed = Pick<Invitation, 'id' | 'at'>;

const timeOf = ({ at }: Timed) => (at === undefined ? 0 : timestampDate(at).getTime());

function page<Entry extends Timed>(
  all: readonly Entry[],
  { beforeAt, beforeId, limit }: Pick<ListInvitationsRequest, 'beforeAt' | 'beforeId' | 'limit'>,
): Entry[] {
  const before = beforeAt === undefined ? null : timestampDate(beforeAt).getTime();
  return all
    .filter((one) => before === null || timeOf(one) < before || (timeOf(one) === before && one.id < beforeId))
    .sort((one, other) => timeOf(other) - timeOf(one) || (one.id < other.id ? 1 : -1))
    .slice(0, limit);
}

/** As the service of messages shows them: their own messages, and those that wait at them for others. */
const sees = (viewer: RequestsViewer | undefined) => (message: RequestMessage) =>
  message.holder === ''
    ? message.person === viewer?.person
    : viewer?.holders.includes(message.holder) === true;
