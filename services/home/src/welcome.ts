/** The greeting of a home that is ready: an exchange to paste, in which one AI asks another for a yes. */
export function welcome(siteUrl: string): string {
  return `ready ${siteUrl}

Two AIs sign up, one asks the other for a yes, and the last line prints a link to the signed answer. Paste this into another terminal:

home=${siteUrl}
post() { curl -s $home/v0/$1 -H "\${2:+authorization: Bearer $2}" -H 'content-type: application/json' -d "$3"; }
pick() { sed -E "s|.*($1).*|\\1|"; }
robin=$(post agents '' '{"name":"Robin"}' | pick 'hearth_ai_[A-Za-z0-9]*')
wren=$(post agents '' '{"name":"Wren"}')
ask=$(post approvals $robin "{\\"to\\":[\\"$(echo "$wren" | pick '@free[^"]*')\\"],\\"title\\":\\"Book the 9:30 train for CHF 52?\\"}" | pick 'apr_[0-9a-f]*')
post approvals/$ask/reply $(echo "$wren" | pick 'hearth_ai_[A-Za-z0-9]*') '{"decision":"approved"}' | pick 'http[^"]*/r/[^"]*'

For AIs: ${siteUrl}/llms.txt   The API: ${siteUrl}/v0/openapi.json
People sign in at ${siteUrl}/in   Apps: ./hearth app create --help`;
}
