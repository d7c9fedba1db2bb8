import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type HearthError, isHearthError } from '@hearth/errors';
import type { Language } from '@hearth/i18n';
import { unprovenPoints } from '@hearth/limits';
import { Via } from '@hearth/proto/common/v1/caller';
import { anonymous, type Caller, callerKinds } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { type Credentials, digestOf } from '../credentials/module.ts';
import type { Floods, Network } from '../http/module.ts';
import type { LastSeen } from '../last-seen/module.ts';
import { cookieName, readCookie, setCookie } from './cookies.ts';
import { deviceOf } from './device.ts';

/** The visitor who opened a page in a browser. */
export interface Visit {
  /** The signed-in person, which includes guests; null for a visitor. */
  person: Caller | null;
  /** Why a person counts as a visitor: the operator suspended their account. */
  suspended?: HearthError;
  /** The caller for services: the person, or an anonymous caller with the visitor's network. */
  caller: Caller;
  /** The language of the account, or else of the browser. */
  language: Language;
  /** The CSRF token in every form of the page. */
  csrf: string;
  /** Identifies the browser without revealing its cookies. */
  browser: string;
  /** The token from `remember`; empty if there is none. */
  deviceToken: string;
  /** Headers that the answer must carry, names and values alternately. */
  headers: string[];
}

/** People's sessions in their browsers. The API doesn't use them: it accepts only bearer keys. */
export interface Sessions {
  /** The person of the request's cookie, as a web caller; null without one. */
  callerOf(request: IncomingMessage): Promise<Caller | null>;
  visit(request: IncomingMessage): Promise<Visit>;
  /** Whether a form's or script's token shows that one of our pages sent it to this browser. */
  isOurForm(request: IncomingMessage, visit: Visit, csrf: string | undefined): boolean;
  /** The header that starts a session. The token is always new, whatever the browser sent. */
  begin(token: string, endsAtMs: number): string[];
  /** The header that marks a browser as one with which a person signed in before. */
  remember(deviceToken: string): string[];
  /** The header that deletes the session cookie. Identity ends the session itself. */
  forget(): string[];
}

export interface Deps extends Pick<Host, 'clock' | 'ids' | 'languages' | 'sealer'> {
  credentials: Pick<Credentials, 'resolve'>;
  network: Network;
  floods: Pick<Floods, 'check' | 'price'>;
  lastSeen: Pick<LastSeen, 'note'>;
  siteUrl: string;
}

const sessionToken = /^hearth_ps_[0-9A-Za-z]{43}$/;
const visitorToken = /^[0-9A-Za-z]{22}$/;

export function createSessions(deps: Deps): Sessions {
  const { credentials, network, floods, lastSeen, sealer, ids, clock, languages, siteUrl } = deps;
  const secure = siteUrl.startsWith('https:');
  const sessionCookie = cookieName('hearth_session', { secure });
  const visitorCookie = cookieName('hearth_visitor', { secure });
  const deviceCookie = cookieName('hearth_device', { secure });

  /** Derived from a token that only this browser has, so nothing is stored. */
  const csrfOf = (token: string) => sealer.derive('csrf', digestOf(token)).toString('base64url');

  /** @param token as for csrfOf */
  const browserOf = (request: IncomingMessage, token: string) => ({
    csrf: csrfOf(token),
    browser: sealer.derive('browser', digestOf(token)).toString('base64url'),
    deviceToken: readCookie(request, deviceCookie) ?? '',
  });

  /** The caller for services, with the language. */
  function inLanguage(request: IncomingMessage, caller: Caller): { caller: Caller; language: Language } {
    const accepts = request.headers['accept-language'];
    const language = languages.of({ language: caller.language, accepts });
    return { caller: { ...caller, language: language.tag }, language };
  }

  async function find(
    request: IncomingMessage,
  ): Promise<{ token: string; person: Caller } | HearthError | null> {
    const token = readCookie(request, sessionCookie);
    if (token === undefined || !sessionToken.test(token)) return null;
    try {
      const credential = await credentials.resolve(token, '', () => {
        floods.check(request);
        floods.price(request, unprovenPoints.unknownKey);
      });
      const from = network.of(request);
      const caller = network.on(credential, from);
      if (caller.kind !== callerKinds.PERSON || caller.session === '') return null;
      lastSeen.note(credential, 'used', { device: deviceOf(request.headers['user-agent']), network: from });
      return { token, person: { ...caller, via: Via.WEB } };
    } catch (error) {
      // The session ended; its browser is a visitor like any other.
      if (!isHearthError(error) || (error.kind !== 'unauthenticated' && error.kind !== 'forbidden'))
        throw error;
      return error.details.code === 'suspended' ? error : null;
    }
  }

  function visitor(request: IncomingMessage): Visit {
    const from = { ...anonymous, network: network.of(request), via: Via.WEB };
    const reader = inLanguage(request, from);
    const sent = readCookie(request, visitorCookie);
    if (sent !== undefined && visitorToken.test(sent))
      return { person: null, ...reader, ...browserOf(request, sent), headers: [] };
    const token = ids.token(22);
    const headers = ['Set-Cookie', setCookie(visitorCookie, token, { secure })];
    return { person: null, ...reader, ...browserOf(request, token), headers };
  }

  return {
    async callerOf(request) {
      const found = await find(request);
      return isHearthError(found) ? null : (found?.person ?? null);
    },
    async visit(request) {
      const found = await find(request);
      if (found === null) return visitor(request);
      if (isHearthError(found)) return { ...visitor(request), suspended: found };
      const { caller, language } = inLanguage(request, found.person);
      return { person: caller, caller, language, ...browserOf(request, found.token), headers: [] };
    },
    isOurForm(request, visit, csrf) {
      // Newer browsers send this header; the token doesn't depend on it.
      const from = request.headers['sec-fetch-site'];
      if (from !== undefined && from !== 'same-origin' && from !== 'none') return false;
      if (csrf === undefined) return false;
      const given = Buffer.from(csrf);
      const expected = Buffer.from(visit.csrf);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
    begin: (token, endsAtMs) => [
      'Set-Cookie',
      setCookie(sessionCookie, token, { secure, maxAgeSeconds: (endsAtMs - clock.now()) / 1_000 }),
    ],
    remember: (deviceToken) => [
      'Set-Cookie',
      setCookie(deviceCookie, deviceToken, { secure, maxAgeSeconds: 400 * 24 * 60 * 60 }),
    ],
    forget: () => ['Set-Cookie', setCookie(sessionCookie, 'ended', { secure, maxAgeSeconds: 0 })],
  };
}
