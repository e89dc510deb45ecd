// The drape in Bullet's soft-body world: drape_bullet SHEET.obj SECONDS OUT.obj
// Prints one line of JSON that begins with "PEER ". The sheet is what btSoftBodyHelpers::CreateFromTriMesh and
// generateBendingConstraints(2) make of a triangle mesh: masses and springs along edges and to second neighbours, solved position by
// position. It is put together here, since these two ask for memory of the number of vertices squared, and crash with 97K triangles.
// The ball is Bullet's sphere. Cloth against itself is left out: Bullet offers it by clusters of vertices, convex lumps much larger
// than a triangle. Its deformable world (btDeformableMultiBodyDynamicsWorld) did not drape in a probe. In this one the sheet falls
// through the ball with the default hardness of contact with what does not move (kKHR 0.1), and with a margin of 1 mm; with hardness 1
// and a margin of 2 cm it drapes, although it sinks into the ball.
#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {
const double kStep = 1.0 / 200, kMass = 0.2, kMargin = 0.02;  // [s] and [kg] for 1 m^2 as in weft; [m]
const int kIterations = 20;

void Read(const char* path, std::vector<btScalar>* vertices, std::vector<int>* triangles) {
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    for (int k = 0; k < 3 && (kind == "v" || kind == "f"); k++) {
      std::string word;
      words >> word;
      if (kind == "v") vertices->push_back(btScalar(std::atof(word.c_str())));
      if (kind == "f") triangles->push_back(std::atoi(word.c_str()) - 1);
    }
  }
}

void Write(const char* path, const btSoftBody* sheet, const std::vector<int>& triangles) {
  std::ofstream stream(path);
  stream.precision(9);
  for (int i = 0; i < sheet->m_nodes.size(); i++) {
    const btVector3& x = sheet->m_nodes[i].m_x;
    stream << "v " << x.x() << ' ' << x.y() << ' ' << x.z() << '\n';
  }
  for (size_t i = 0; i < triangles.size(); i += 3)
    stream << "f " << triangles[i] + 1 << ' ' << triangles[i + 1] + 1 << ' ' << triangles[i + 2] + 1 << '\n';
}

// The sheet: a spring for each edge, and one to each neighbour of a neighbour.
btSoftBody* Make(btSoftBodyWorldInfo* info, const std::vector<btScalar>& vertices, const std::vector<int>& triangles) {
  const int count = int(vertices.size() / 3);
  std::vector<btVector3> places;
  std::vector<std::set<int>> around(count);
  for (int i = 0; i < count; i++) places.emplace_back(vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]);
  btSoftBody* sheet = new btSoftBody(info, count, places.data(), nullptr);
  for (size_t i = 0; i < triangles.size(); i++) {
    const int a = triangles[i], b = triangles[i % 3 == 2 ? i - 2 : i + 1];
    around[a].insert(b);
    around[b].insert(a);
  }
  for (int a = 0; a < count; a++)
    for (int b : around[a])
      if (a < b) sheet->appendLink(a, b);
  for (size_t i = 0; i < triangles.size(); i += 3) sheet->appendFace(triangles[i], triangles[i + 1], triangles[i + 2]);
  for (int a = 0; a < count; a++) {
    std::set<int> second;
    for (int b : around[a])
      for (int c : around[b])
        if (a < c && !around[a].count(c)) second.insert(c);
    for (int c : second) sheet->appendLink(a, c);
  }
  sheet->randomizeConstraints();
  return sheet;
}
}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 4) return 2;
  const double seconds = std::atof(arguments[2]);
  std::vector<btScalar> vertices;
  std::vector<int> triangles;
  Read(arguments[1], &vertices, &triangles);

  btSoftBodyRigidBodyCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btSoftRigidDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  const btVector3 gravity(0, 0, btScalar(-9.81));
  world.setGravity(gravity);
  world.getWorldInfo().m_gravity = gravity;
  world.getWorldInfo().air_density = 0;
  world.getWorldInfo().m_sparsesdf.setDefaultVoxelsz(btScalar(0.02));
  world.getWorldInfo().m_sparsesdf.Initialize();

  btSphereShape ball(btScalar(0.2));
  ball.setMargin(btScalar(kMargin));
  btDefaultMotionState place(btTransform(btQuaternion::getIdentity(), btVector3(0, 0, btScalar(-0.21))));
  btRigidBody body(btRigidBody::btRigidBodyConstructionInfo(0, &place, &ball));
  world.addRigidBody(&body);

  btSoftBody* sheet = Make(&world.getWorldInfo(), vertices, triangles);
  sheet->getCollisionShape()->setMargin(btScalar(kMargin));
  sheet->setTotalMass(btScalar(kMass), true);
  sheet->m_cfg.piterations = kIterations;
  sheet->m_cfg.kKHR = 1;
  sheet->m_cfg.kDF = btScalar(0.2);
  sheet->m_cfg.collisions = btSoftBody::fCollision::SDF_RS;
  world.addSoftBody(sheet);

  const int steps = int(seconds / kStep + 0.5);
  const auto begun = std::chrono::steady_clock::now();
  for (int i = 0; i < steps; i++) world.stepSimulation(btScalar(kStep), 0, btScalar(kStep));
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;

  Write(arguments[3], sheet, triangles);
  std::printf("PEER {\"version\": \"%d\", \"seconds\": %.6f, \"step\": %.9f, \"iterations\": %d}\n", BT_BULLET_VERSION,
              taken.count(), kStep, kIterations);
  world.removeSoftBody(sheet);
  delete sheet;
  world.removeRigidBody(&body);
  return 0;
}
