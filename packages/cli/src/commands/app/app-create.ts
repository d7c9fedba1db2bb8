import type { AnswerOf } from '@hearth/sdk';
import type { Command } from '../../command.ts';
import { readRequired } from '../../read-options.ts';

export const appCreate: Command = {
  name: 'app create',
  summary: 'make an app, and show its key and its signing secret once',
  usage: '--name <name> --contact <e-mail> [--redirect-uri <uri>]... [--webhook-url <url>] [--minors]',
  help: `Options:
  --name <name>          what people see, up to 60 characters
  --contact <e-mail>     whom you write to when something is wrong with the app
  --redirect-uri <uri>   where a sign-in may lead back to; exact, https or http on this machine. May be repeated
  --webhook-url <url>    where the home sends the app's events; the app can set it later
  --minors               the app may hold people under 18: your decision as the operator

The key is what the app sends as "Authorization: Bearer <key>". With "Svc-Acting-For: per_..." it acts for a person that
it holds. Webhooks are signed with the signing secret (header Svc-Signature). The home stores neither of the two so that
it could show them again; the app can replace them with POST /v0/app/keys and POST /v0/app/secret.`,
  options: {
    name: { type: 'string' },
    contact: { type: 'string' },
    'redirect-uri': { type: 'string', multiple: true },
    'webhook-url': { type: 'string' },
    minors: { type: 'boolean' },
  },
  async run({ values, home, report }) {
    const made = await home.call('create_app', {
      name: readRequired(values, 'name'),
      contact_email: readRequired(values, 'contact'),
      ...(values['redirect-uri'] !== undefined && { redirect_uris: values['redirect-uri'] as string[] }),
      ...(values['webhook-url'] !== undefined && { webhook_url: values['webhook-url'] as string }),
      ...(values.minors === true && { minors: true }),
    });
    report(made, () => tell(made, home.site));
  },
};

function tell({ app, app_key: key, signing_secret: secret }: AnswerOf<'create_app'>, site: string): string {
  return `Made the app ${app.name}${app.minors ? ', which may hold people under 18' : ''}.

  app             ${app.id}
  key             ${key}
  signing secret  ${secret}

The key and the secret are shown this once: put them where the app reads its secrets. To try the key:

  curl -s ${site}/v0/app -H "authorization: Bearer ${key}"

To make a person whom the app holds:

  curl -s ${site}/v0/people -H "authorization: Bearer ${key}" \\
    -H 'content-type: application/json' -d '{"name":"Ada Lovelace","age_band":"adult"}'`;
}
