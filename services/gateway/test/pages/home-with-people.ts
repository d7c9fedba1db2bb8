import { manualClock } from '@hearth/clock';
import { Proof } from '@hearth/proto/common/v1/caller';
import { LinksService } from '@hearth/proto/delivery/v1/links';
import { CallerKind } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';
import { fake } from '@hearth/testkit';
import { startTestGateway, type TestGatewayOptions } from '../support/test-gateway.ts';
import { visitor } from './visitor.ts';

export const clock = manualClock('2026-05-03T12:00:00.000Z');
export const siteUrl = 'http://localhost:8080';

export const adaId = '01900000-0000-7000-8000-0000000000a1';
export const graceId = '01900000-0000-7000-8000-0000000000a2';

const tokenOf = (letter: string) => `hearth_ps_${letter.repeat(43)}`;

const ada: Partial<Caller> = {
  ...{ kind: CallerKind.PERSON, id: adaId, address: '@ada', name: 'Ada Lovelace', session: 'session-a' },
  ...{ proof: Proof.EMAIL, authenticatedAt: BigInt(clock.now() - 60 * 60_000) },
};
const callers: Record<string, Partial<Caller>> = {
  [tokenOf('a')]: ada,
  [tokenOf('f')]: { ...ada, session: 'session-f', authenticatedAt: BigInt(clock.now() - 2 * 60_000) },
  [tokenOf('g')]: {
    ...{ kind: CallerKind.PERSON, id: graceId, address: graceId, name: 'Grace', session: 'session-g' },
    guest: true,
  },
};

/**
 * A home whose people have browsers: `ada` signed in by email an hour ago, `adaAfresh` is Ada two minutes
 * after a sign-in, `grace` is a guest, `stranger()` a visitor. `letAdaSee` lets Ada see a page once by a
 * token, without a session.
 */
export async function startHomeWithPeople(
  fakes: TestGatewayOptions['fakes'] = [],
  options: TestGatewayOptions = {},
) {
  const byLink = new Map<string, Partial<Caller>>();
  const links = fake(LinksService, {
    async openLink({ token, path }) {
      const viewer = byLink.get(`${token} ${path}`) as Caller | undefined;
      byLink.delete(`${token} ${path}`);
      return { ...(viewer !== undefined && { viewer }) };
    },
  });
  const gateway = await startTestGateway({
    logLevel: 'debug',
    ...options,
    env: { HEARTH_SITE_URL: siteUrl, HEARTH_LIMITS: 'relaxed', ...options.env },
    clock,
    fakes: [links, ...fakes],
    keys: callers,
  });
  const as = (letter: string) => visitor(gateway.url, { hearth_session: tokenOf(letter) });
  return {
    ...gateway,
    ...{ ada: as('a'), adaAfresh: as('f'), grace: as('g'), stranger: () => visitor(gateway.url) },
    letAdaSee: (token: string, path: string) =>
      byLink.set(`${token} ${path}`, { ...ada, session: '', authenticatedAt: 0n }),
  };
}
