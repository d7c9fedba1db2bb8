import type { MessageInitShape } from '@bufbuild/protobuf';
import { day, second } from '@hearth/clock';
import { createReceivedActs, createSentActs } from '@hearth/home-acts';
import { sizesOf } from '@hearth/limits';
import { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type {
  ListRemoteAsksRequest,
  ListRemoteAsksResponseSchema,
} from '@hearth/proto/approvals/v1/requests';
import { SendSourceService } from '@hearth/proto/delivery/v1/send_sources';
import { HomeItemsService } from '@hearth/proto/federation/v1/items';
import { createReader } from '@hearth/proto-json';
import type { Caller } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { type Answer, answerTo } from './actions/answer.ts';
import { type AskAboutRules, askAboutRules } from './actions/ask-about-rules.ts';
import { createBatched } from './actions/batched.ts';
import { createVerifyCallback } from './actions/callback-addresses.ts';
import { createApprovalMachine, expireApproval } from './actions/change-approval.ts';
import { findVisible } from './actions/find-visible.ts';
import { createKnownAis } from './actions/known-ais.ts';
import { listRemote } from './actions/list-remote.ts';
import { createApprovalSigning } from './actions/sign-approval.ts';
import { onAccountDeleted } from './consumers/on-account-deleted.ts';
import { onGroupArchived } from './consumers/on-group-archived.ts';
import { onHomeBeganAnew } from './consumers/on-home-began-anew.ts';
import { onHomeItemSettled } from './consumers/on-home-item-settled.ts';
import { onOwnerChanged } from './consumers/on-owner-changed.ts';
import { type Context, type Deps, peersOf } from './context.ts';
import { nextExpiry } from './db/approvals.ts';
import { deleteCallbacksBefore } from './db/callbacks.ts';
import { nextNoDue } from './db/home-places.ts';
import { nextWaitingSend } from './db/waiting-sends.ts';
import type { WholeApproval } from './db/whole-approvals.ts';
import { expireApprovals } from './jobs/expire-approvals.ts';
import { handOverSends } from './jobs/hand-over-sends.ts';
import { sendNoes } from './jobs/send-noes.ts';

/** Asks, as the other modules of this service use them. */
export interface Asks {
  /** Answers the ask with this uuid. @throws bad_request (already_settled), forbidden (needs_person) */
  answer(id: string, answer: Answer, caller: Caller): Promise<WholeApproval>;
  /** Settles the ask with this uuid if it has expired. */
  expire(id: string): Promise<void>;
  /** Asks a person whether to change their rules; returns false, and writes nothing, if `write` does. */
  askAboutRules: AskAboutRules;
  /** @throws not_found for an ask that the caller may not see */
  findVisible(reference: string, caller: Caller): Promise<WholeApproval>;
  /** The asks of other homes that wait for the caller or their person. */
  listRemote(
    request: ListRemoteAsksRequest,
    caller: Caller,
  ): Promise<MessageInitShape<typeof ListRemoteAsksResponseSchema>>;
}

export async function startAsks(host: Host, deps: Deps): Promise<Asks> {
  const context = createContext(host, deps);
  await host.serveRpcs(ApprovalsService, import.meta.url, context);
  await host.serveRpcs(ItemSourceService, import.meta.url, context);
  await host.serveRpcs(SendSourceService, import.meta.url, context);
  await host.serveRpcs(HomeItemsService, import.meta.url, context);
  host.consume(onAccountDeleted(context));
  host.consume(onGroupArchived(context));
  host.consume(onHomeItemSettled(context));
  host.consume(onHomeBeganAnew(context));
  host.consume(onOwnerChanged(context));
  host.whenDue('expire-approvals', 2 * second, { sql: nextExpiry }, () => expireApprovals(context));
  host.whenDue('sign-settled', 5 * second, context.signing.nextDue, () => context.signing.due());
  host.whenDue('send-noes', 10 * second, { sql: nextNoDue }, () => sendNoes(context));
  host.whenDue('hand-over-sends', 5 * second, { sql: nextWaitingSend }, () => handOverSends(context));
  host.purge('purge-callbacks', [30 * day, deleteCallbacksBefore]);
  return {
    answer: (id, answer, caller) => answerTo(context, id, answer, caller),
    expire: (id) => expireApproval(context, id),
    askAboutRules: (...ask) => askAboutRules(context, ...ask),
    findVisible: (reference, caller) => findVisible(context, reference, caller),
    listRemote: (request, caller) => listRemote(context, request, caller),
  };
}

function createContext(host: Host, deps: Deps): Context {
  const own = { ...host, ...deps, peers: peersOf(host) };
  const parts = {
    ...own,
    knownAis: createKnownAis(host, own.peers.ais),
    verifyCallback: createVerifyCallback(own.peers.callbacks),
    batched: createBatched(own),
    askReader: createReader({ bounds: sizesOf(host.limits), ignoreUnknown: true }),
    receivedActs: createReceivedActs(host, 'approvals'),
    sentActs: createSentActs(host, 'approvals', { copies: false }),
  };
  return { ...parts, approvals: createApprovalMachine(parts), signing: createApprovalSigning(parts) };
}
