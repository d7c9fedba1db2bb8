import { SignInService } from '@hearth/proto/identity/v1/sign_in';
import { RateClass } from '@hearth/proto/options';
import { addPasskeyPage, localPath, paths } from '@hearth/web';
import { type Context, type ScriptRequest, signInFirst } from '../pages/module.ts';
import { begin, carry, home, nextOf } from './way-on.ts';

/** Signing in with a passkey, and creating one, through the passkey script. */
export function addPasskeyPages(context: Context): void {
  const { addPage, ask } = context;
  const { passkeyOptions, usePasskey, addPasskey, newPasskeyOptions } = SignInService.method;
  const rate = RateClass.READ;
  const optionsOf = (method: typeof passkeyOptions | typeof newPasskeyOptions) => ({
    rate,
    script: async ({ visit }: ScriptRequest) => ({
      json: JSON.parse((await ask(method, {}, visit.caller)).options),
    }),
  });
  addPage('passkey_options', paths.passkeyOptions, optionsOf(passkeyOptions));
  addPage('passkey', paths.passkey, {
    rate,
    async script(request) {
      const { body, visit } = request;
      const session = await ask(usePasskey, { credential: credentialIn(body) }, visit.caller);
      return { json: { next: nextIn(body) }, headers: await begin(context, request, session) };
    },
  });
  addPage('new_passkey', paths.newPasskey, {
    rate,
    get({ frame, query, visit }) {
      if (visit.person === null || visit.person.guest) return signInFirst(paths.newPasskey);
      const next = nextOf(query);
      return { html: addPasskeyPage(frame, { carried: carry(next), next: next ?? home }) };
    },
    async script({ body, visit }) {
      await ask(addPasskey, { credential: credentialIn(body) }, visit.caller);
      return { json: { next: nextIn(body) } };
    },
  });
  addPage('new_passkey_options', paths.newPasskeyOptions, optionsOf(newPasskeyOptions));
}

function credentialIn(body: ScriptRequest['body']): string {
  return JSON.stringify(body['credential'] ?? null);
}

function nextIn({ next }: ScriptRequest['body']): string {
  return (typeof next === 'string' ? localPath(next) : undefined) ?? home;
}
