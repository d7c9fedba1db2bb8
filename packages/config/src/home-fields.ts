import { isIP } from 'node:net';
import { asHomeName, asTyped } from '@hearth/addresses';
import { readTag } from '@hearth/i18n/tag';
import { parseStrictJson } from '@hearth/signing';
import type { Field, VariableDescription } from './field.ts';
import { quote } from './field.ts';
import { Expected, optionalText, single } from './fields.ts';
import { isHomeNameWithPort } from './home-name.ts';
import { asOrigin } from './url-fields.ts';

/** `relaxed`, or values by limit name as in GET /limits; packages/limits knows the names. */
export type LimitsSetting = 'relaxed' | Readonly<Record<string, unknown>>;

/** HEARTH_LIMITS: `relaxed`, JSON, or the path of a file that contains either. */
export function limitsField(name: string, help: string): Field<LimitsSetting | undefined> {
  const expected =
    '`relaxed`, a JSON object such as {"writes_a_minute": 20}, or the path of a file with either';
  return {
    describe: [{ name, meaning: help, unit: 'JSON', default: 'unset', fromFile: false }],
    read(source) {
      const given = source.text(name);
      const isPath = given !== undefined && given !== 'relaxed' && !/^[[{"]/.test(given);
      const text = isPath ? source.file(name, given, expected) : given;
      if (text === undefined) return undefined;
      if (text === 'relaxed') return text;
      try {
        const value = parseStrictJson(text, { floats: true });
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
        source.mistake({ variable: name, problem: `is ${quote(text)}`, expected });
      } catch (error) {
        const { message } = error as Error;
        source.mistake({ variable: name, problem: `is ${quote(text)}: ${message}`, expected });
      }
      return undefined;
    },
  };
}

/** A language tag (BCP 47), in its canonical form. */
export function languageField(name: string, options: { help: string; default: string }): Field<string> {
  return single<string>(name, {
    ...options,
    unit: 'language',
    parse: (text) => readTag(text) ?? new Expected('a language tag (BCP 47) such as de or pt-BR'),
  }) as Field<string>;
}

const tlsFiles = {
  cert: optionalText('HEARTH_TLS_CERT', {
    help:
      'Certificate (PEM) with the services of this process as DNS names, e.g. `identity`. Together with HEARTH_TLS_KEY ' +
      'and HEARTH_TLS_CA, it makes separately running services call each other only over mutual TLS.',
    unit: 'path',
  }),
  key: optionalText('HEARTH_TLS_KEY', { help: 'Private key of that certificate (PEM).', unit: 'path' }),
  ca: optionalText('HEARTH_TLS_CA', {
    help: "CA certificates for the other services' certificates (PEM). All three files are reloaded every minute.",
    unit: 'path',
  }),
};

/** HEARTH_TLS_*: the paths of three files, all or none. */
export function tlsField(): Field<Readonly<Record<keyof typeof tlsFiles, string>> | undefined> {
  return {
    describe: Object.values(tlsFiles).flatMap((field) => field.describe),
    read(source, earlier) {
      const [cert, key, ca] = [tlsFiles.cert, tlsFiles.key, tlsFiles.ca].map((file) =>
        file.read(source, earlier),
      );
      if (cert !== undefined && key !== undefined && ca !== undefined)
        return Object.freeze({ cert, key, ca });
      if (cert ?? key ?? ca) {
        source.mistake({
          variable: 'HEARTH_TLS_CERT',
          problem: 'must be set together with HEARTH_TLS_KEY and HEARTH_TLS_CA',
          expected: 'all three or none',
        });
      }
      return undefined;
    },
  };
}

/** PEER_<SERVICE>: the given addresses, by service name. */
export function peersField<Service extends string>(
  services: readonly Service[],
): Field<Readonly<Partial<Record<Service, string>>>> {
  const fields = services.map((service) => [service, peerField(service)] as const);
  return {
    describe: fields.flatMap(([, field]) => field.describe),
    read(source, earlier) {
      const peers: Partial<Record<Service, string>> = {};
      for (const [service, field] of fields) {
        const address = field.read(source, earlier);
        if (address !== undefined) peers[service] = address;
      }
      return Object.freeze(peers);
    },
  };
}

/** The variable for a service's address: PEER_MESSAGES. */
function peerVariable(service: string): string {
  return `PEER_${service.replaceAll('-', '_').toUpperCase()}`;
}

function peerField(service: string): Field<string | undefined> {
  return single<string>(peerVariable(service), {
    help:
      `Address of the ${service} service, if it runs separately. ` +
      'Calls are spread over all addresses that the name resolves to.',
    unit: 'host:port',
    parse: (text) =>
      isAddresses(text)
        ? text
        : new Expected(`host:port, such as ${service}:9090, or several IP addresses separated by commas`),
  });
}

/** A single name for all replicas, or a list of addresses. */
function isAddresses(text: string): boolean {
  const addresses = text.split(',');
  return (
    addresses.every(isAddress) &&
    (addresses.length === 1 || addresses.every((address) => /^[\d.]+:|^\[/.test(address)))
  );
}

function isAddress(text: string): boolean {
  const match = /^([A-Za-z0-9._-]{1,253}|\[[0-9a-fA-F:.]{2,45}\]):(\d{1,5})$/.exec(text);
  return match !== null && Number(match[2]) >= 1 && Number(match[2]) <= 65_535;
}

/**
 * The OTEL_* variables as OpenTelemetry defines them, unchecked. Variables that contain headers are left out because
 * they carry credentials; OpenTelemetry's SDK reads those from the environment itself.
 */
export function openTelemetryField(): Field<Readonly<Record<string, string>>> {
  const row = (name: string, meaning: string, unit: string): VariableDescription => ({
    name,
    meaning,
    unit,
    default: 'unset',
    fromFile: false,
  });
  return {
    describe: [
      row(
        'OTEL_EXPORTER_OTLP_ENDPOINT',
        'Where to send traces and metrics (OTLP). If unset, none are sent.',
        'URL',
      ),
      row('OTEL_*', 'All other OpenTelemetry variables, as OpenTelemetry defines them.', 'text'),
    ],
    read: (source) =>
      Object.freeze(
        Object.fromEntries(source.startingWith('OTEL_').filter(([name]) => !name.includes('HEADERS'))),
      ),
  };
}

export function homeNameItem(text: string): string | Expected {
  const name = asHomeName(text);
  return isHomeNameWithPort(name)
    ? name
    : new Expected('a comma-separated list of home names such as localhost:8081');
}

export function originItem(text: string): string | Expected {
  return asOrigin(text) ?? new Expected('a comma-separated list of origins such as http://localhost:3000');
}

export function personItem(text: string): string | Expected {
  const id = asTyped(text).toLowerCase();
  return /^per_[0-9a-f]{32}$/.test(id)
    ? id
    : new Expected(
        'a comma-separated list of person ids (per_ and 32 hex digits), as shown by hearth person list',
      );
}

/** A host as in the Host header, without its port. */
export function hostItem(text: string): string | Expected {
  const host = asHomeName(text);
  return /^(?:\[[0-9a-f:]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)$/.test(host)
    ? host
    : new Expected('a comma-separated list of host names without a port, such as gateway.internal');
}

/** Names for the networks of proxies; `uniquelocal` includes the private IPv4 networks. */
const proxyNetworks = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * An address or network of a proxy. All networks at once are refused: any client could then choose the address it is
 * counted by.
 */
export function proxyItem(given: string): string | Expected {
  const text = asTyped(given).toLowerCase();
  if (proxyNetworks.includes(text)) return text;
  const [, address = '', bits] = /^([\da-fA-F.:]+)(?:\/([1-9]\d{0,2}))?$/.exec(text) ?? [];
  const longest = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return longest >= Number(bits ?? 1)
    ? text
    : new Expected(
        `a comma-separated list of addresses, networks such as 10.0.0.0/8, or ${proxyNetworks.join(', ')}`,
      );
}
