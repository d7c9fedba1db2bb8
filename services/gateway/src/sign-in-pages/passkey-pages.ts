import { RateClass } from '@hearth/proto/options';
import { addPasskeyPage, localPath, paths } from '@hearth/web';
import { type ScriptAnswer, type ScriptRequest, signInFirst } from '../pages/module.ts';
import { begin, carry, home, nextOf, type SignInPages } from './context.ts';

/** Signing in with a passkey, and making one: the browser's own dialogue, asked by the script of the pages. */
export function addPasskeyPages(context: SignInPages): void {
  const { addPage, signIn } = context;
  const rate = RateClass.READ;
  addPage({
    name: 'passkey_options',
    path: paths.passkeyOptions,
    rate,
    async script({ visit }) {
      const { options } = await signIn.passkeyOptions({}, { caller: visit.caller });
      return { json: JSON.parse(options) };
    },
  });
  addPage({ name: 'passkey', path: paths.passkey, rate, script: (request) => usePasskey(context, request) });
  addPage({
    name: 'new_passkey',
    path: paths.newPasskey,
    rate,
    get({ frame, query, visit }) {
      if (visit.person === null || visit.person.guest) return signInFirst(paths.newPasskey);
      const next = nextOf(query);
      return { html: addPasskeyPage(frame, { carried: carry(next), next: next ?? home }) };
    },
    async script({ body, visit }) {
      const credential = JSON.stringify(body['credential'] ?? null);
      await signIn.addPasskey({ credential }, { caller: visit.caller });
      return { json: { next: nextIn(body) } };
    },
  });
  addPage({
    name: 'new_passkey_options',
    path: paths.newPasskeyOptions,
    rate,
    async script({ visit }) {
      const { options } = await signIn.newPasskeyOptions({}, { caller: visit.caller });
      return { json: JSON.parse(options) };
    },
  });
}

async function usePasskey(context: SignInPages, request: ScriptRequest): Promise<ScriptAnswer> {
  const { body, visit } = request;
  const credential = JSON.stringify(body['credential'] ?? null);
  const session = await context.signIn.usePasskey({ credential }, { caller: visit.caller });
  return { json: { next: nextIn(body) }, headers: await begin(context, request, session) };
}

function nextIn(body: ScriptRequest['body']): string {
  const { next } = body;
  return (typeof next === 'string' ? localPath(next) : undefined) ?? home;
}
