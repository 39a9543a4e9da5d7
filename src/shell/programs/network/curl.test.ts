import { expect, test } from 'vitest';
import { analyse } from '../../analyse.ts';

const takesAway = (line: string) =>
  analyse(line, { cwd: '/home/dev', home: '/home/dev', env: {} }).effects.some(
    (effect) => effect.kind === 'resource' && effect.destructive,
  );
const URL = 'https://api.example.com/projects/7';
const REPOSITORY = 'https://api.example.com/repos/a/b';

test.each([
  `curl -X DELETE ${URL} --next -X GET https://api.example.com/me`,
  `curl -X POST --request-target /projects/7/terminate https://api.example.com/`,
  `curl -X POST '${URL}/{terminate,x}'`,
  `printf 'request = DELETE\\nurl = ${URL}\\n' > c; curl -K c`,
  `printf -- '-X DELETE\\n' | curl -K - ${URL}`,
  `curl --variable m=terminate --expand-url '${URL}/{{m}}' -X POST`,
  `curl -H 'X-HTTP-Method-Override: DELETE' -d '' ${URL}`,
  `curl -X PATCH ${REPOSITORY} --json '{"archived":' --json 'true}'`,
  `echo '{"archived":true}' > b; curl -X PATCH ${REPOSITORY} -T b`,
  `echo '{"archived":true}' > b; wget --method=PATCH --body-file=b ${REPOSITORY}`,
  `echo '{"archived":true}' | http PATCH ${REPOSITORY}`,
  `http PATCH ${REPOSITORY} archived:=true`,
  `echo '{"archived":true}' | gh api -X PATCH repos/a/b --input -`,
  `curl -X POST "$URL/terminate"`,
])('%s deletes', (line) => {
  expect(takesAway(line)).toBe(true);
});

test.each([
  `curl ${URL} --next https://api.example.com/me`,
  `curl -X POST '${URL}/{a,b}' -d x=1`,
  `printf 'request = POST\\nurl = ${URL}\\n' > c; curl -K c`,
  `printf 'config = c\\nurl = ${URL}\\n' > c; curl -K c`,
  `curl -H 'X-HTTP-Method-Override: PATCH' -d name=x ${URL}`,
  `curl -G ${URL} -d status=deleted`,
  `curl -X PATCH ${REPOSITORY} --json '{"archived":false}'`,
  `echo '{"name":"x"}' | http PATCH ${REPOSITORY}`,
])('%s deletes nothing', (line) => {
  expect(takesAway(line)).toBe(false);
});
