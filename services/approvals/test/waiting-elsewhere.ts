import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { notFound } from '@hearth/errors';
import {
  type FindInvitationRequest,
  type Invitation,
  InvitationSchema,
  type ListInvitationsRequest,
} from '@hearth/proto/groups/v1/invitations';
import { JoinStatus } from '@hearth/proto/groups/v1/invites';
import {
  type DeclineThreadRequest,
  type FindRequestMessageRequest,
  type ListRequestMessagesRequest,
  type MoveThreadRequest,
  type RelabelThreadRequest,
  type RequestMessage,
  RequestMessageSchema,
  type RequestsViewer,
} from '@hearth/proto/messages/v1/request_messages';
import type { Call } from '@hearth/rpc';

/** What waits in the services of messages and groups, and what they were told to do with it. */
export interface WaitingElsewhere {
  messages: RequestMessage[];
  /** person -> invites */
  invitations: Map<string, Invitation[]>;
  /** uuid of the viewer -> of the messages that they sent or received */
  seen: Map<string, Set<string>>;
  moved: MoveThreadRequest[];
  declined: DeclineThreadRequest[];
  relabelled: RelabelThreadRequest[];
  accepted: { id: string; by: string; note: string }[];
  sentBack: { id: string; by: string }[];
}

export function nothingWaits(): WaitingElsewhere {
  return {
    messages: [],
    invitations: new Map(),
    seen: new Map(),
    moved: [],
    declined: [],
    relabelled: [],
    accepted: [],
    sentBack: [],
  };
}

export const newMessage = (fields: MessageInitShape<typeof RequestMessageSchema>): RequestMessage =>
  create(RequestMessageSchema, fields);

export const newInvitation = (fields: MessageInitShape<typeof InvitationSchema>): Invitation =>
  create(InvitationSchema, fields);

interface Timed {
  id: string;
  at?: Invitation['at'];
}

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

/** As the service of messages shows them: theirs that nobody else sees first, and what waits at them for others. */
const sees = (viewer: RequestsViewer | undefined) => (message: RequestMessage) =>
  message.holder === ''
    ? message.person === viewer?.person
    : viewer?.holders.includes(message.holder) === true;

export function requestMessagesHandlers(waiting: WaitingElsewhere): object {
  const find = (viewer: RequestsViewer | undefined, id: string) =>
    waiting.messages.find((message) => message.id === id && sees(viewer)(message));

  /** It waits no more. */
  function take(viewer: RequestsViewer | undefined, id: string): void {
    const message = find(viewer, id);
    if (message === undefined) throw notFound();
    waiting.messages = waiting.messages.filter((one) => one !== message);
  }
  return {
    async listRequestMessages(request: ListRequestMessagesRequest) {
      const { viewer, kind } = request;
      const mine = waiting.messages
        .filter(sees(viewer))
        .filter((message) => kind === undefined || message.kind === kind);
      return { messages: page(mine, request) };
    },
    async countRequestMessages({ viewer }: ListRequestMessagesRequest) {
      const mine = waiting.messages.filter(sees(viewer));
      return { count: mine.length, oldest: mine[0]?.at };
    },
    async findRequestMessage({ viewer, id }: FindRequestMessageRequest) {
      const message = find(viewer, id);
      return message === undefined ? {} : { message };
    },
    async moveThread(request: MoveThreadRequest) {
      take(request.viewer, request.message);
      waiting.moved.push(request);
      return { moved: 1 };
    },
    async declineThread(request: DeclineThreadRequest) {
      take(request.viewer, request.message);
      waiting.declined.push(request);
      return { declined: 1 };
    },
    async relabelThread(request: RelabelThreadRequest) {
      if (find(request.viewer, request.message) === undefined) throw notFound();
      waiting.relabelled.push(request);
      return { relabelled: 1 };
    },
    async findSeenMessage({ viewer, id }: { viewer: string; id: string }) {
      return { seen: waiting.seen.get(viewer)?.has(id) === true };
    },
  };
}

export function invitationsHandlers(waiting: WaitingElsewhere): object {
  const of = (person: string) => waiting.invitations.get(person) ?? [];
  const take = (person: string, id: string) => {
    if (!of(person).some((one) => one.id === id)) throw notFound();
    waiting.invitations.set(
      person,
      of(person).filter((one) => one.id !== id),
    );
  };
  return {
    async listInvitations(request: ListInvitationsRequest) {
      return { invitations: page(of(request.person), request) };
    },
    async findInvitation({ person, id }: FindInvitationRequest) {
      const invitation = of(person).find((one) => one.id === id);
      return invitation === undefined ? {} : { invitation };
    },
    async acceptInvitation({ id, note }: { id: string; note: string }, { caller }: Call) {
      take(caller.id, id);
      waiting.accepted.push({ id, by: caller.id, note });
      return { status: JoinStatus.JOINED, next: 'You are in Book club now.' };
    },
    async declineInvitation({ id }: { id: string }, { caller }: Call) {
      take(caller.person || caller.id, id);
      waiting.sentBack.push({ id, by: caller.id });
      return {};
    },
  };
}
