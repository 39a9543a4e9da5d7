import { describe, expect, test } from 'vitest';
import { effects, lines } from '../../../../test/support/shell/shell.ts';

const inline = (program: string, code: string): string => `${program} '${code.replaceAll("'", "'\\''")}'`;
const removed = (program: string, code: string) =>
  effects(inline(program, code), 'resource').flatMap(({ system, destructive }) =>
    destructive ? [system] : [],
  );

const PYTHON = 'python3 -c';
const NODE = 'node -e';
const RUBY = 'ruby -e';

describe('a method of an object that was traced to a service', () => {
  test.each([
    [PYTHON, "import boto3\nboto3.resource('s3').Bucket('a').objects.all().delete()", 'aws'],
    [PYTHON, "from google.cloud import bigquery\nbigquery.Client().delete_dataset('a')", 'gcloud'],
    [
      PYTHON,
      "from azure.mgmt.resource import ResourceManagementClient as R\nR(c, 's').resource_groups.begin_delete('a')",
      'azure',
    ],
    [
      PYTHON,
      "from kubernetes import client\nv1 = client.CoreV1Api()\nv1.delete_namespace('a')",
      'kubernetes',
    ],
    [
      PYTHON,
      'from pymongo import MongoClient\ndb = MongoClient(uri).shop\ndb.orders.delete_many({})',
      'mongodb',
    ],
    [PYTHON, "import pymongo\npymongo.MongoClient(uri)['shop'].drop_collection('a')", 'mongodb'],
    [PYTHON, "import redis\nredis.Redis(host='a.example').flushall()", 'redis'],
    [PYTHON, 'from shop.models import Customer\nCustomer.objects.all().delete()', 'sql'],
    [PYTHON, 'from app.models import Base, engine\nBase.metadata.drop_all(bind=engine)', 'sql'],
    [PYTHON, "from github import Github\nGithub(t).get_repo('a/b').delete()", 'github'],
    [PYTHON, "import stripe\nstripe.Customer.delete('c')", 'cloud'],
    [NODE, "const { PrismaClient } = require('@prisma/client'); new PrismaClient().user.deleteMany()", 'sql'],
    [NODE, "const knex = require('knex')(config); knex('sessions').del()", 'sql'],
    [NODE, "require('mongoose').connection.dropDatabase()", 'mongodb'],
    [NODE, "const R = require('ioredis'); new R('redis://a.example').flushall()", 'redis'],
    [
      NODE,
      "const { Octokit } = require('@octokit/rest'); new Octokit({}).rest.repos.delete({ repo: 'a' })",
      'github',
    ],
    [NODE, "import('./src/db').then(({ db }) => db.delete())", 'sql'],
    [RUBY, 'Redis.new(url: u).flushall', 'redis'],
    ['rails runner', 'User.destroy_all', 'sql'],
    ['python3 manage.py shell -c', 'from shop.models import A; A.objects.all().delete()', 'sql'],
    ['php artisan tinker --execute', 'User::truncate();', 'sql'],
  ])('%s %s', (program, code, system) => {
    expect(removed(program, code)).toContain(system);
  });

  test.each([
    [PYTHON, "import boto3\nboto3.client('rds').delete_db_instance(DBInstanceIdentifier='a')"],
    [
      PYTHON,
      "import boto3\ns = boto3.Session()\nc = s.client('rds')\nc.delete_db_instance(DBInstanceIdentifier='a')",
    ],
    [
      NODE,
      "const { RDSClient, DeleteDBInstanceCommand: D } = require('@aws-sdk/client-rds'); new RDSClient({}).send(new D({ DBInstanceIdentifier: 'a' }))",
    ],
  ])('acts like the program of the service: %s %s', (program, code) => {
    expect(lines(inline(program, code)).at(-1)).toMatch(
      /^aws rds delete-db-instance --db-instance-identifier a/,
    );
  });
});

describe('losing nothing', () => {
  test.each([
    [
      'an ordinary object',
      PYTHON,
      "x = [1]; x.remove(1); x.clear(); {}.pop('a'); set().discard(1); d.delete('a'); e.reset()",
    ],
    [
      'an ordinary object',
      NODE,
      "new Map().delete('a'); new FormData().delete('a'); node.remove(); cache.clear(); x.reset()",
    ],
    ['an ordinary object', RUBY, 'h = { a: 1 }; h.delete(:a); [1].clear'],
    ['a look', PYTHON, "import boto3\nboto3.client('s3').list_deleted_objects()"],
    ['one row', PYTHON, "from pymongo import MongoClient\nMongoClient(u).shop.orders.delete_one({'_id': 1})"],
    ['some rows', PYTHON, 'from shop.models import A\nA.objects.filter(active=False).delete()'],
    ['some rows', NODE, "const knex = require('knex')(c); knex('a').where({ id: 1 }).del()"],
    ['some rows', NODE, "const knex = require('knex')(c); knex('a').del().where('id', 1)"],
    [
      'one row',
      NODE,
      "const { PrismaClient } = require('@prisma/client'); new PrismaClient().user.delete({ where: { id: 1 } })",
    ],
    ['one key', PYTHON, "import redis\nredis.Redis().delete('a')"],
    [
      'something small',
      PYTHON,
      "from github import Github\nGithub(t).get_repo('a/b').get_issue(1).get_comment(2).delete()",
    ],
    [
      'an emulator',
      PYTHON,
      "import boto3\nboto3.resource('s3', endpoint_url='http://localhost:4566').Bucket('a').delete()",
    ],
    [
      'a test database here',
      PYTHON,
      "from pymongo import MongoClient\nMongoClient('mongodb://localhost').shop_test.orders.delete_many({})",
    ],
    [
      'a database in memory',
      PYTHON,
      "from sqlalchemy import create_engine\ncreate_engine('sqlite:///:memory:').connect().execute('drop table a')",
    ],
    ['a fake', PYTHON, 'import fakeredis\nfakeredis.FakeRedis().flushall()'],
  ])('%s: %s %s', (_, program, code) => {
    expect(removed(program, code)).toEqual([]);
  });
});

describe('judges a request like one of curl', () => {
  test.each([
    [PYTHON, "import requests\ns = requests.Session()\ns.delete('https://a.example/projects/7')"],
    [PYTHON, "import httpx\nhttpx.post('https://a.example/v1/servers/12/terminate')"],
    [
      PYTHON,
      "import requests\nrequests.post('https://a.example/graphql', json={'query': 'mutation { deleteProject(id: 7) { id } }'})",
    ],
    [NODE, "const a = require('axios'); a({ method: 'delete', url: 'https://a.example/tenants/3' })"],
    [NODE, "const a = require('axios').create({ baseURL: 'https://a.example' }); a.delete('/tenants/3')"],
    [NODE, "const base = 'https://a.example'; fetch(base + '/tenants/3', { method: 'DELETE' })"],
  ])('%s %s', (program, code) => {
    expect(removed(program, code)).toContain('http');
  });

  test.each([
    [PYTHON, "import requests\nrequests.post('https://a.example/items', json={'name': 'x'})"],
    [NODE, "fetch('https://a.example/deleted')"],
    [NODE, "const app = require('express')(); app.delete('/x', (q, s) => s.end())"],
  ])('an ordinary request: %s %s', (program, code) => {
    expect(removed(program, code)).toEqual([]);
  });
});
