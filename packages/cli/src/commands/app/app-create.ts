import type { AnswerOf } from '@hearth/sdk';
import type { Command } from '../../command.ts';
import { readRequired } from '../../read-options.ts';

export const appCreate: Command = {
  name: 'app create',
  summary: 'Create an app, and show its key and signing secret once',
  usage: '--name <name> --contact <email> [--redirect-uri <uri>]... [--webhook-url <url>] [--minors]',
  help: `Options:
  --name <name>          name shown to people, up to 60 characters
  --contact <email>     where to reach you or the developer about problems with the app
  --redirect-uri <uri>   allowed redirect URI for sign-ins: exact match, https, or http on this machine. Repeatable
  --webhook-url <url>    where the home sends the app's events; the app can set it later
  --minors               allow the app to manage accounts of people under 18; this is your decision as the operator

The app sends its key as "Authorization: Bearer <key>". With "Svc-Acting-For: per_...", it acts for a person whose account
it manages. Webhooks are signed with the signing secret (header Svc-Signature). The home can't show the key or the secret
again; the app can replace them with POST /v0/app/keys and POST /v0/app/secret.`,
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
  return `Created app ${app.name}${app.minors ? ', which may manage accounts of people under 18' : ''}.

  app             ${app.id}
  key             ${key}
  signing secret  ${secret}

Store the key and the secret where the app reads its secrets; they can't be shown again. To try the key:

  curl -s ${site}/v0/app -H "authorization: Bearer ${key}"

To create a person whose account the app manages:

  curl -s ${site}/v0/people -H "authorization: Bearer ${key}" \\
    -H 'content-type: application/json' -d '{"name":"Ada Lovelace","age_band":"adult"}'`;
}
