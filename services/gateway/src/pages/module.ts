import { isIP } from 'node:net';
import type { Reader } from '@hearth/proto-json';
import type { Host } from '@hearth/runtime';
import type { Holds } from '../hold/module.ts';
import type { Sessions } from '../sessions/module.ts';
import { createAddPage, type Deps } from './add-page.ts';
import { createHeld } from './held.ts';
import type { Context } from './page.ts';
import { createServices } from './services.ts';
import { signedIn } from './signed-in.ts';

export { frameOf, isOperator } from './add-page.ts';
export { birthOf, guardianPage } from './birth.ts';
export { doneOf, noticeOn } from './done.ts';
export { errorWords } from './error-words.ts';
export { errorPage, sendNotFoundPage } from './errors.ts';
export {
  type FieldsOfPage,
  fieldErrors,
  ifThere,
  lineOf,
  type OwnRefusal,
  type Refusal,
  submit,
  unlessRefused,
} from './failures.ts';
export { heldSeconds } from './held.ts';
export { findOwnAi, listOwnAis, type OwnedAi } from './own-ais.ts';
export {
  type AddPage,
  type Answering,
  type Context,
  type FormRequest,
  type Own,
  type OwnForm,
  type Page,
  type PageAnswer,
  type PageRequest,
  type ScriptRequest,
  shown,
} from './page.ts';
export { sendReport } from './report.ts';
export { send } from './send.ts';
export { freshSignIn, signedInLately, signInAfresh, signInFirst } from './sign-in.ts';
export { frameWithZone, inZoneOf, signedInAfresh } from './signed-in.ts';
export { timesOf } from './times.ts';
export { aiNameOf, msOf, nameOf, nextWords, receiptPath, scopesOf } from './views.ts';

/** The context with which each module adds its pages. */
export function createPages(
  host: Deps['host'] & Pick<Host, 'peer'>,
  deps: Omit<Deps, 'host' | 'ask' | 'sessions'> & {
    sessions: Sessions;
    reader: Reader;
    holds: Pick<Holds, 'answer'>;
  },
): Context {
  const { clock, config, ids, languages, limits, peer } = host;
  const { rates, sessions, reader } = deps;
  const services = createServices(peer, reader);
  const addPage = createAddPage({ ...deps, host, ask: services.ask });
  return {
    clock,
    config,
    ids,
    languages,
    limits,
    ...services,
    ...createHeld({ ...deps, ask: services.ask }),
    addPage,
    addOwnPage: (name, path, page) => addPage(name, path, signedIn(page)),
    rates,
    sessions,
    passkeys: takesPasskeys(config.siteUrl),
  };
}

function takesPasskeys(siteUrl: string): boolean {
  const { hostname } = new URL(siteUrl);
  return isIP(hostname) === 0 && !hostname.startsWith('[');
}
