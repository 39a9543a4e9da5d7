import { describe, expect, test } from 'vitest';
import { type Request, requestDeed } from './request.ts';

const GITHUB = 'https://api.github.com';
const of = (method: string, url: string, body: unknown = '', more: Partial<Request> = {}): Request => ({
  method,
  url,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...more,
});
const graph = (query: string) => of('POST', `${GITHUB}/graphql`, { query });

describe('effects of a request on the server', () => {
  test.each<[string, Request, string]>([
    ['its method', of('DELETE', `${GITHUB}/repos/acme/shop`), 'destructive'],
    ['a verb at the end of its path', of('POST', 'https://x.example/v1/projects/7/terminate'), 'destructive'],
    [
      'a verb in front of other words',
      of('POST', 'https://es.example/orders/_delete_by_query'),
      'destructive',
    ],
    ['a loose verb about people', of('POST', 'https://x.example/admin/users/42/suspend'), 'destructive'],
    ['a flag in its body', of('PATCH', `${GITHUB}/repos/acme/shop`, { archived: true }), 'destructive'],
    [
      'a count of zero',
      of('PATCH', 'https://k8s.example/deployments/api/scale', { spec: { replicas: 0 } }),
      'destructive',
    ],
    ['a mutation', graph('mutation { deleteRepository(input: {id: 1}) { id } }'), 'destructive'],
    [
      'a mutation under another name',
      graph('mutation M($x: ID!) { a: transferRepository(input: $x) { id } }'),
      'access',
    ],
    [
      'a header',
      of('POST', 'https://dynamodb.us-east-1.amazonaws.com', '{}', {
        target: 'DynamoDB_20120810.DeleteTable',
      }),
      'destructive',
    ],
    ['a form', of('POST', 'https://ec2.amazonaws.com/', 'Action=TerminateInstances&Id.1=i-1'), 'destructive'],
    ['a guard', of('PUT', `${GITHUB}/repos/acme/shop/branches/main/protection`, '{}'), 'access'],
    [
      'a guard that is switched off',
      of('PUT', 'https://api.cloudflare.com/zones/1/firewall/rules/2', { enabled: false }),
      'access',
    ],
    ['what becomes public', of('PATCH', `${GITHUB}/repos/acme/shop`, { visibility: 'public' }), 'access'],
    [
      'money',
      of('POST', 'https://api.stripe.com/v1/refunds', 'charge=ch_1', { login: 'sk_live_x:' }),
      'money',
    ],
    [
      'a workflow for production',
      of('POST', `${GITHUB}/repos/acme/shop/actions/workflows/deploy.yml/dispatches`, {
        inputs: { environment: 'production' },
      }),
      'release',
    ],
    [
      'a remote procedure',
      of('POST', 'https://x.example/rpc', { jsonrpc: '2.0', method: 'dropDatabase' }),
      'destructive',
    ],
    ['a service that ends', of('POST', 'https://shop.example/actuator/shutdown'), 'destructive'],
    ['money at a host that is not known', of('POST', 'https://\ue000/v1/payouts'), 'money'],
    [
      'money at a host of which a part is known',
      of('POST', 'https://api-\ue000.shop.com/v1/payouts'),
      'money',
    ],
    ['a merge', of('PUT', `${GITHUB}/repos/acme/shop/pulls/12/merge`), 'release'],
    [
      'a mail to many',
      of('POST', 'https://api.sendgrid.com/v3/mail/send', { to: 'all-customers@x.example' }),
      'message',
    ],
    ['a path in other letters', of('POST', 'https://x.example/projects/7/%74erminate'), 'destructive'],
    ['a verb with parameters', of('POST', 'https://x.example/projects/7/terminate;now=1/'), 'destructive'],
    ['a verb behind a colon', of('POST', 'https://x.example/instances/i:delete'), 'destructive'],
    ['a verb that is confirmed', of('POST', 'https://x.example/projects/7/terminate/confirm'), 'destructive'],
    ['a verb before its object', of('POST', 'https://x.example/delete/project/7'), 'destructive'],
    ['the end of a long path', of('POST', `https://x.example/${'a/'.repeat(5000)}terminate`), 'destructive'],
    ['a host that is not known', of('POST', '\ue000/projects/7/terminate'), 'destructive'],
    [
      'a method in a header',
      of('POST', 'https://x.example/projects/7', '', { override: 'DELETE' }),
      'destructive',
    ],
    ['a method in a form', of('POST', 'https://x.example/projects/7', '_method=delete'), 'destructive'],
    ['a method in the address', of('POST', 'https://x.example/projects/7?_method=DELETE'), 'destructive'],
    [
      'a path beside an action that looks',
      of('POST', 'https://x.example/projects/7/terminate?action=view'),
      'destructive',
    ],
    ['a flag in a form', of('PATCH', `${GITHUB}/repos/a/b`, 'repository[archived]=true'), 'destructive'],
    ['a flag in a list', of('PATCH', `${GITHUB}/repos/a/b`, [{ archived: true }]), 'destructive'],
    [
      'a flag behind much else',
      of('PATCH', `${GITHUB}/repos/a/b`, { pad: 'x'.repeat(50_000), archived: true }),
      'destructive',
    ],
    [
      'a flag far inside',
      of('PATCH', `${GITHUB}/repos/a/b`, `${'{"a":'.repeat(99)}{"archived":true}${'}'.repeat(99)}`),
      'destructive',
    ],
    [
      'a flag beside a value that is not known',
      of('PATCH', `${GITHUB}/repos/a/b`, '{"id":\ue000,"archived":true}'),
      'destructive',
    ],
    [
      'one of several procedures',
      of('POST', 'https://x.example/rpc', [
        { jsonrpc: '2.0', method: 'ping' },
        { jsonrpc: '2.0', method: 'dropDatabase' },
      ]),
      'destructive',
    ],
    [
      'a tool of a server',
      of('POST', 'https://x.example/mcp', {
        jsonrpc: '2.0',
        method: 'tools/call',
        params: { name: 'delete_project' },
      }),
      'destructive',
    ],
    [
      'a request in a request',
      of('POST', 'https://x.example/batch', { requests: [{ method: 'DELETE', url: '/projects/7' }] }),
      'destructive',
    ],
    ['SQL', of('POST', 'https://ch.example/', 'DROP TABLE orders'), 'destructive'],
    ['SQL in the address', of('GET', 'https://ch.example/?query=DROP%20TABLE%20orders'), 'destructive'],
    ['money under a name that ends in dev', of('POST', 'https://pay.example.dev/v1/refunds'), 'money'],
  ])('%s returns a secret', (_, request, how) => {
    expect(requestDeed(request)?.how).toBe(how);
  });

  test.each<[string, Request]>([
    ['a look', of('GET', `${GITHUB}/repos/acme/shop/terminate`)],
    ['something new', of('POST', 'https://x.example/orders', { sku: 1 })],
    ['something small', of('POST', `${GITHUB}/repos/acme/shop/issues/1/comments`, { body: 'delete this' })],
    [
      'a workflow for a branch',
      of('POST', `${GITHUB}/repos/a/b/actions/workflows/test.yml/dispatches`, { ref: 'x' }),
    ],
    ['a search', of('POST', 'https://es.example/orders/_search', { query: { match_all: {} } })],
    ['a query', graph('query { repository(name: "delete") { issues { totalCount } } }')],
    ['a mutation of something small', graph('mutation { commentCreate(input: {}) { success } }')],
    ['a verb in a name', of('POST', `${GITHUB}/repos/acme/terminate-bot/issues`, { title: 'x' })],
    ['a login', of('POST', 'https://auth.example/oauth/token', 'grant_type=client_credentials')],
    ['money of a trial', of('POST', 'https://api.stripe.com/v1/refunds', '', { login: 'sk_test_x:' })],
    ['a service of one machine for tests', of('POST', 'https://pay.staging.example/v1/refunds')],
    ['no address', of('DELETE', '')],
    ['a method that looks', of('POST', 'https://x.example/search', '_method=get', { override: 'GET' })],
    ['a verb that is the name of a list', of('GET', 'https://x.example/trash', '', { login: 'x' })],
    ['a page about a verb', of('GET', 'https://x.example/blog/drop-table?key=1')],
    ['a write to disk', of('POST', 'https://es.example/orders/_flush')],
    ['a verb among names', of('POST', 'https://x.example/tags/drop/posts', { title: 'x' })],
    [
      'a log of requests',
      of('POST', 'https://x.example/logs', { entries: [{ method: 'DELETE', path: '/x' }] }),
    ],
    [
      'a call of a tool that looks',
      of('POST', 'https://x.example/mcp', {
        jsonrpc: '2.0',
        method: 'tools/call',
        params: { name: 'get_issue' },
      }),
    ],
    ['SQL that is written about', of('POST', 'https://x.example/notes', { text: 'DROP TABLE users' })],
    ['SQL for chosen rows', of('POST', 'https://ch.example/', 'DELETE FROM a WHERE id = 1')],
    ['lines that add', of('POST', 'https://es.example/orders/_bulk', '{"index":{}}\n{"a":1}\n')],
    ['a service beside this one', of('POST', 'http://api:3000/v1/refunds', 'amount=1')],
  ])('%s is ordinary', (_, request) => {
    expect(requestDeed(request)).toBeNull();
  });
});

test('reads a long body in time proportional to its length', () => {
  const bodies = ['{', '{"a":', ' a', 'a(', 'mutation {'].map((part) => part.repeat(50_000));
  for (const body of bodies) expect(requestDeed(of('POST', 'https://x.example/graphql', body))).toBeNull();
  const query = `mutation {${'a ( '.repeat(20_000)}`;
  expect(requestDeed(of('POST', 'https://x.example/graphql', { query }))).toBeNull();
});
