import type { DescService } from '@bufbuild/protobuf';
import { manualClock } from '@hearth/clock';
import { Proof } from '@hearth/proto/common/v1/caller';
import { ActivityService } from '@hearth/proto/delivery/v1/activity';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { InvitesService } from '@hearth/proto/groups/v1/invites';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { OAuthService } from '@hearth/proto/identity/v1/oauth';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { CallerKind } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';
import type { SomeHandlers } from '../support/peers.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../support/test-gateway.ts';
import { type Visitor, visitor } from './visitor.ts';

export const clock = manualClock('2026-05-03T12:00:00.000Z');

export const adaId = '01900000-0000-7000-8000-0000000000a1';
export const graceId = '01900000-0000-7000-8000-0000000000a2';

const tokenOf = (letter: string) => `hearth_ps_${letter.repeat(43)}`;

const callers: Record<string, Partial<Caller>> = {
  [tokenOf('a')]: {
    ...{ kind: CallerKind.PERSON, id: adaId, address: '@ada', name: 'Ada Lovelace', session: 'session-a' },
    ...{ proof: Proof.EMAIL, authenticatedAt: BigInt(clock.now() - 60 * 60_000) },
  },
  [tokenOf('f')]: {
    ...{ kind: CallerKind.PERSON, id: adaId, address: '@ada', name: 'Ada Lovelace', session: 'session-f' },
    ...{ proof: Proof.EMAIL, authenticatedAt: BigInt(clock.now() - 2 * 60_000) },
  },
  [tokenOf('g')]: {
    ...{ kind: CallerKind.PERSON, id: graceId, address: graceId, name: 'Grace', session: 'session-g' },
    guest: true,
  },
};

/** Some handlers of a service, for `others` of a test gateway. */
export function serves<S extends DescService>(service: S, handlers: SomeHandlers<S>): Served {
  return [service, handlers as SomeHandlers<DescService>];
}

export type Served = readonly [DescService, SomeHandlers<DescService>];

export interface HomeWithPeople {
  gateway: TestGateway;
  /** Signed in by e-mail, an hour ago. */
  ada: Visitor;
  /** The same, signed in two minutes ago. */
  adaAfresh: Visitor;
  /** A guest. */
  grace: Visitor;
  stranger(): Visitor;
}

/** Services that the pages ask; what a test says nothing of is not built. */
const asked: readonly DescService[] = [
  AisService,
  OAuthService,
  PeopleService,
  GroupsService,
  InvitesService,
  ActivityService,
];

/** A home whose people have browsers. */
export async function startHomeWithPeople(
  others: readonly Served[],
  more: TestGatewayOptions = {},
): Promise<HomeWithPeople> {
  const rest = asked.filter((service) => !others.some(([given]) => given === service));
  const all = [...others, ...rest.map((service) => serves(service, {}))];
  const gateway = await startTestGateway({ ...more, clock, others: all, keys: callers, logLevel: 'debug' });
  const as = (letter: string) => visitor(gateway.url, { hearth_session: tokenOf(letter) });
  return { gateway, ada: as('a'), adaAfresh: as('f'), grace: as('g'), stranger: () => visitor(gateway.url) };
}
