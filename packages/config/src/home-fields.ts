import { isIP } from 'node:net';
import { asHomeName, asTyped } from '@hearth/addresses';
import { parseStrictJson } from '@hearth/signing';
import type { Field, VariableDescription } from './field.ts';
import { quote } from './field.ts';
import { Expected, optionalText, single } from './fields.ts';
import { isHomeNameWithPort } from './home-name.ts';
import { asOrigin } from './url-fields.ts';

/** `relaxed`, or values by the names that GET /limits lists; packages/limits knows which exist. */
export type LimitsSetting = 'relaxed' | Readonly<Record<string, unknown>>;

/** HEARTH_LIMITS: the word `relaxed`, JSON, or the path of a file of either. */
export function limitsField(name: string, help: string): Field<LimitsSetting | undefined> {
  const expected =
    '`relaxed`, a JSON object such as {"writes_a_minute": 20}, or a file that holds one of them';
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

const tlsFiles = {
  cert: optionalText('HEARTH_TLS_CERT', {
    help:
      'A certificate (PEM) that names the services of this process as DNS names, `identity` say: with it, ' +
      'HEARTH_TLS_KEY and HEARTH_TLS_CA, services that run apart call each other over TLS alone, both sides proven.',
    unit: 'path',
  }),
  key: optionalText('HEARTH_TLS_KEY', { help: 'The key of that certificate (PEM).', unit: 'path' }),
  ca: optionalText('HEARTH_TLS_CA', {
    help: "The authorities of the other services' certificates (PEM). The three files are read anew each minute.",
    unit: 'path',
  }),
};

/** HEARTH_TLS_*: the paths of three files, or none of them. */
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
          problem: 'is not given with HEARTH_TLS_KEY and HEARTH_TLS_CA',
          expected: 'all three or none of them',
        });
      }
      return undefined;
    },
  };
}

/** PEER_<SERVICE>: addresses by service name, for those services that are given one. */
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

/** The variable that holds the address of `service`: PEER_MESSAGES. */
function peerVariable(service: string): string {
  return `PEER_${service.replaceAll('-', '_').toUpperCase()}`;
}

function peerField(service: string): Field<string | undefined> {
  return single<string>(peerVariable(service), {
    help:
      `Where the service ${service} listens when it does not run in this process; ` +
      'calls go round the addresses that the name resolves to.',
    unit: 'host:port',
    parse: (text) =>
      isAddresses(text)
        ? text
        : new Expected(`host:port, such as ${service}:9090, or several IP addresses between commas`),
  });
}

/** One name, behind which all replicas stand, or a list of addresses. */
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
 * The OTEL_* variables as OpenTelemetry defines them, unchecked; those that hold headers are left out,
 * for headers carry credentials (OpenTelemetry's SDK reads them from the environment itself).
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
        'Where traces and metrics are sent (OTLP); nothing is sent without.',
        'URL',
      ),
      row('OTEL_*', 'Every other variable of OpenTelemetry, as it defines them.', 'text'),
    ],
    read: (source) =>
      Object.freeze(
        Object.fromEntries(source.startingWith('OTEL_').filter(([name]) => !name.includes('HEADERS'))),
      ),
  };
}

export function homeNameItem(text: string): string | Expected {
  const name = asHomeName(text);
  return isHomeNameWithPort(name) ? name : new Expected('home names such as localhost:8081 between commas');
}

export function originItem(text: string): string | Expected {
  return asOrigin(text) ?? new Expected('origins such as http://localhost:3000 between commas');
}

export function personItem(text: string): string | Expected {
  const id = asTyped(text).toLowerCase();
  return /^per_[0-9a-f]{32}$/.test(id)
    ? id
    : new Expected(
        'the ids of people between commas, each per_ and 32 hex digits, as hearth person list shows them',
      );
}

/** A host as it stands in the Host header, without its port. */
export function hostItem(text: string): string | Expected {
  const host = asHomeName(text);
  return /^(?:\[[0-9a-f:]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)$/.test(host)
    ? host
    : new Expected('host names without a port, such as gateway.internal, between commas');
}

/** Networks that proxies stand in, by their usual words; uniquelocal holds the private networks of IPv4 too. */
const proxyNetworks = ['loopback', 'linklocal', 'uniquelocal'];

/** An address or network of a proxy. Not all networks at once: then anybody could choose what they are counted by. */
export function proxyItem(given: string): string | Expected {
  const text = asTyped(given).toLowerCase();
  if (proxyNetworks.includes(text)) return text;
  const [, address = '', bits] = /^([\da-fA-F.:]+)(?:\/([1-9]\d{0,2}))?$/.exec(text) ?? [];
  const longest = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return longest >= Number(bits ?? 1)
    ? text
    : new Expected(`addresses, networks such as 10.0.0.0/8, or ${proxyNetworks.join(', ')} between commas`);
}
