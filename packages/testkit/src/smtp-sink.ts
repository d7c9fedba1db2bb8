import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface SunkMail {
  from: string;
  to: string[];
  /** The message as received, headers included. */
  data: string;
}

export interface SmtpSink {
  url: string;
  mails: SunkMail[];
  /** The first words of each client's commands. */
  commands: string[];
  connections(): { all: number; open: number };
  stop(): Promise<void>;
}

export interface SinkOptions {
  /** Replaces or delays the answer to a command (`RCPT`); null never answers. */
  answers?: Record<string, string | null | Promise<string>>;
  host?: string;
  port?: number;
}

const usual: Record<string, string> = {
  HELLO: '220 sink',
  EHLO: '250-sink\r\n250 8BITMIME',
  DATA: '354 go on',
  QUIT: '221 bye',
  '.': '250 taken',
};

/** Starts a minimal mail server that accepts and keeps every mail. */
export async function startSmtpSink(options: SinkOptions = {}): Promise<SmtpSink> {
  const { answers = {}, host = '127.0.0.1', port = 0 } = options;
  const mails: SunkMail[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;

  function serve(socket: Socket): void {
    connections += 1;
    sockets.add(socket);
    let mail: SunkMail = { from: '', to: [], data: '' };
    let inData = false;
    const say = (command: string) => {
      const words = command in answers ? answers[command] : (usual[command] ?? '250 ok');
      const write = (text: string) => void socket.write(`${text}\r\n`);
      if (words instanceof Promise) void words.then(write);
      else if (typeof words === 'string') write(words);
    };
    const receive = (line: string) => {
      if (inData && line !== '.') {
        mail.data += `${line}\r\n`;
        return;
      }
      if (inData) mails.push(mail);
      if (inData) mail = { from: '', to: [], data: '' };
      commands.push(line.split(' ')[0] ?? '');
      inData = line === 'DATA';
      const address = /<(.*)>/.exec(line)?.[1] ?? '';
      if (line.startsWith('MAIL FROM:')) mail = { from: address, to: [], data: '' };
      if (line.startsWith('RCPT TO:')) mail.to.push(address);
      say(line === '.' ? '.' : (line.split(' ')[0] ?? ''));
    };
    let rest = '';
    socket.setEncoding('utf8').on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) receive(line);
    });
    say('HELLO');
  }

  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return {
    url: `smtp://${host}:${(server.address() as AddressInfo).port}`,
    mails,
    commands,
    connections: () => ({ all: connections, open: sockets.size }),
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** A mail's data as its reader sees it: quoted-printable decoded, plain line breaks. */
export const mailText = (data: string): string =>
  Buffer.from(
    data
      .replaceAll('=\r\n', '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
    .toString()
    .replaceAll('\r\n', '\n');
