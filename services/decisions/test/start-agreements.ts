import type { MessageInitShape } from '@bufbuild/protobuf';
import { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import { ItemSourceService, ItemsService } from '@hearth/proto/approvals/v1/items';
import {
  type Agreement,
  AgreementsService,
  type StartAgreementRequestSchema,
} from '@hearth/proto/decisions/v1/agreements';
import { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import { HomeItemsService, HomeQuestionsService } from '@hearth/proto/federation/v1/items';
import { PartiesService } from '@hearth/proto/identity/v1/parties';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { Caller } from '@hearth/rpc';
import { calledBy, createWorld, fake, fakePeers, startService } from '@hearth/testkit';
import { decisions } from '../src/service.ts';

/** Agreements in a home whose other services know the test's world. */
export async function startAgreements(env: Record<string, string> = {}) {
  const world = createWorld();
  /** `<owner> <other>`: the owner has written to the other. */
  const contacts = new Set<string>();
  /** Cards of other homes' AIs, by address. */
  const cards = new Map<string, object>();
  const peers = fakePeers(
    world.identity,
    world.groups,
    world.federation,
    world.approvals,
    fake(ApprovalsService, { askAgreement: async () => ({}), cancelAgreement: async () => ({}) }),
    fake(HomeQuestionsService, {
      fetchHomeCard: async ({ address }) => ({ json: JSON.stringify(cards.get(address) ?? {}) }),
    }),
    fake(ItemsService, { noteItems: async () => ({}) }),
    fake(MessagesService, {
      tellParty: async () => ({}),
      knowsParty: async ({ owners, others }) => ({
        known: owners.some((owner) => others.some((other) => contacts.has(`${owner} ${other}`))),
      }),
    }),
  );
  const names = { HEARTH_HOME: 'localhost:8080', HEARTH_SITE_URL: 'http://localhost:8080' };
  const home = await startService([decisions], { peers, env: { ...names, ...env } });
  const client = home.client(AgreementsService);
  const source = home.client(ItemSourceService, 'approvals', 'decisions');
  const by = (caller: Caller) => calledBy(client, caller);
  const sourceBy = (caller: Caller) => calledBy(source, caller);
  return {
    ...home,
    world,
    peers,
    contacts,
    cards,
    parties: home.client(PartiesService, 'decisions'),
    client,
    fromFederation: home.client(HomeItemsService, 'federation', 'decisions'),
    meetings: home.client(MeetingsService),
    by,
    sourceBy,
    /** An AI as a caller, of that person or without an owner. */
    newAi: (...of: Parameters<typeof world.newAi>) => world.asAi(world.newAi(...of)),
    start: (
      who: Caller,
      others: readonly Caller[],
      request: MessageInitShape<typeof StartAgreementRequestSchema> = {},
    ) =>
      by(who).startAgreement({
        title: 'Translate the minutes',
        terms,
        with: others.map(({ address }) => address),
        ...request,
      }),
    sign: (who: Caller, { id, termsDigest }: Pick<Agreement, 'id' | 'termsDigest'>) =>
      by(who).signAgreement({ id, termsDigest }),
    /** The messages to each side, keyed by the AI's uuid. */
    told: () => peers.requestsOf(MessagesService.method.tellParty),
    asked: () => peers.requestsOf(ApprovalsService.method.askAgreement),
    cancelled: () => peers.requestsOf(ApprovalsService.method.cancelAgreement).map(({ id }) => id),
  };
}

export const terms = 'Wren translates the minutes of May until the 10th.\nRobin reads them.';
