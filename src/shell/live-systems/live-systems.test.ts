import { expect, test } from 'vitest';
import { effects } from '../../../test/support/shell/shell.ts';

const changed = (command: string): readonly string[] =>
  effects(command, 'resource').flatMap(({ system }) =>
    system === 'remote' || system === 'production' ? [system] : [],
  );

test.each([
  "RAILS_ENV=production rails runner 'User.delete_all'",
  'RAILS_ENV=production bundle exec rake orders:cleanup',
  'bundle exec rake db:seed RAILS_ENV=production',
  'rails c production',
  'rails dbconsole -e production',
  'env NODE_ENV=production npx sequelize db:migrate',
  'export APP_ENV=prod && php artisan migrate --force',
  'APP_ENV=prod bin/console doctrine:migrations:migrate',
  'DJANGO_SETTINGS_MODULE=shop.settings.production python manage.py dbshell',
  'ASPNETCORE_ENVIRONMENT=Production dotnet ef database update',
  'DATABASE_URL=postgres://u:p@shop-prod.example.com/shop npx prisma migrate deploy',
  'migrate -database "$PROD_DB_URL" -path migrations up',
  'node --env-file=.env.production scripts/backfill.js',
  'kubectl exec -n production deploy/web -- bin/rails db:migrate',
  'alembic -x env=production upgrade head',
])('%s changes customer data', (command) => {
  expect(changed(command)).toEqual(['production']);
});

test.each([
  'RAILS_ENV=production bin/rails assets:precompile',
  'RAILS_ENV=production rake -T',
  'RAILS_ENV=production rails routes',
  'NODE_ENV=production node build.js',
  'NODE_ENV=production npx jest',
  'NODE_ENV=production npm ci',
  'MIX_ENV=prod mix compile',
  'APP_ENV=prod bin/console cache:warmup',
  'APP_ENV=product php artisan migrate',
  'DATABASE_URL=postgres://localhost/products npx prisma migrate deploy',
  'python manage.py migrate --plan --settings=shop.settings.production',
  'rails runner "puts 1"',
  'NODE_ENV=test npx knex migrate:latest',
])('%s does not', (command) => {
  expect(changed(command)).toEqual([]);
});

test.each([
  "ssh app 'sudo systemctl restart x'",
  "ssh app 'service x restart'",
  "ssh app 'pm2 reload all'",
  "ssh app 'cd x && npm ci'",
  "ssh app 'kubectl rollout restart deploy/web'",
  "ssh app 'kill -9 12'",
  "ssh app 'sed -i s/a/b/ /srv/x.conf'",
  "ssh app './deploy.sh'",
  "ssh db 'mysql x' < x.sql",
  "pdsh -w web1 'systemctl restart x'",
  'docker -c production restart web',
  'export DOCKER_HOST=ssh://root@192.0.2.4; docker compose down',
  'docker -H tcp://localhost.example.com:2375 restart web',
  'DOCKER_CONTEXT=prod docker compose up -d',
  "ansible all -m shell -a 'systemctl restart nginx'",
])('%s changes another machine', (command) => {
  expect(changed(command)).toEqual(['remote']);
});

test.each([
  "ssh app 'systemctl is-active x'",
  "ssh app 'git log -1'",
  "ssh app 'docker compose ps && docker compose logs web'",
  "ssh app 'cat /srv/x/REVISION'",
  "ssh app 'rake db:migrate:status'",
  'docker -H ssh://deploy@web1 logs web',
  'DOCKER_HOST=tcp://localhost:2375 docker run x',
  'DOCKER_HOST=unix:///var/run/docker.sock docker compose up',
  'docker context use default',
  'ansible-playbook -i prod site.yml --list-tasks',
  'ansible-playbook -c local site.yml',
])('%s does not', (command) => {
  expect(changed(command)).toEqual([]);
});
