#include "device/runtime/graphs.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "device/device.h"
#include "host/host.h"
#include "races/races.h"
#include "reports/reports.h"
#include "simt/api/launch_config.h"

struct CUgraphNode_st {
  cudaGraphNodeType type;
  simt::GraphWork work;
  std::set<cudaGraphNode_t> after;
};

struct CUgraph_st {
  bool valid = true;
  unsigned long long number = 0;  // of its capture
  std::vector<std::shared_ptr<CUgraphNode_st>> nodes;
};

// The nodes in an order that their dependencies allow, with the nodes of the graph that they were made from.
struct CUgraphExec_st {
  std::vector<std::pair<cudaGraphNode_t, CUgraphNode_st>> nodes;
};

namespace {

using simt::remember;

std::map<cudaStream_t, cudaGraph_t>& captured_streams() {
  static std::map<cudaStream_t, cudaGraph_t> all;
  return all;
}

std::map<cudaEvent_t, cudaGraph_t>& captured_events() {
  static std::map<cudaEvent_t, cudaGraph_t> all;
  return all;
}

cudaGraph_t graph_of(cudaStream_t stream) {
  const simt::Turn turn;
  const auto found = captured_streams().find(stream);
  return found == captured_streams().end() ? nullptr : found->second;
}

template <typename Map>
void forget(Map& map, cudaGraph_t graph) {
  for (auto at = map.begin(); at != map.end();) at = at->second == graph ? map.erase(at) : ++at;
}

cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                size_t count, cudaGraphNodeType type, simt::GraphWork work) {
  if (node == nullptr || graph == nullptr || (dependencies == nullptr && count != 0) || !work) {
    return remember(cudaErrorInvalidValue);
  }
  graph->nodes.push_back(std::make_shared<CUgraphNode_st>(
      CUgraphNode_st{type, std::move(work), {dependencies, dependencies + count}}));
  *node = graph->nodes.back().get();
  return cudaSuccess;
}

// The launch of a kernel with copies of its arguments; empty if it is not possible.
simt::GraphWork kernel_work(const cudaKernelNodeParams* params) {
  if (params == nullptr || params->extra != nullptr) return nullptr;
  const simt::KernelPointer* const kernel =
      simt::find_kernel("cudaGraphAddKernelNode", params->func);
  if (kernel == nullptr) return nullptr;
  std::vector<std::vector<char>> values;
  for (size_t i = 0; i < kernel->parameters; ++i) {
    const char* const value = static_cast<const char*>(params->kernelParams[i]);
    values.emplace_back(value, value + kernel->sizes[i]);
  }
  const simt::LaunchConfig config = {params->gridDim, params->blockDim, params->sharedMemBytes,
                                     nullptr,         params->func,     nullptr};
  return [config, kernel, values]() mutable {
    std::vector<void*> arguments;
    for (std::vector<char>& value : values) arguments.push_back(value.data());
    return kernel->launch(config, arguments.data());
  };
}

cudaError_t fill(const cudaMemsetParams& params) {
  const simt::OpenMemory open;
  for (size_t row = 0; row < std::max<size_t>(params.height, 1); ++row) {
    char* const to = static_cast<char*>(params.dst) + row * params.pitch;
    const cudaError_t status = cudaMemset(to, int(params.value), params.width * params.elementSize);
    if (status != cudaSuccess) return status;
    for (size_t i = 0; params.elementSize > 1 && i < params.width; ++i) {
      std::memcpy(to + i * params.elementSize, &params.value, params.elementSize);
    }
  }
  return cudaSuccess;
}

// Runs the nodes. The first error ends the graph.
template <typename Nodes>
cudaError_t run(Nodes& nodes) {
  for (auto& each : nodes) {
    const cudaError_t status = each.second.work();
    if (status != cudaSuccess) return status;
  }
  return cudaSuccess;
}

// Copies the nodes so that each comes after those that it depends on. False if they form a circle.
bool sort(const CUgraph_st& graph, CUgraphExec_st& exec) {
  std::set<cudaGraphNode_t> done;
  exec.nodes.clear();
  for (bool progress = true; progress && done.size() < graph.nodes.size();) {
    progress = false;
    for (const auto& node : graph.nodes) {
      const bool ready =
          std::includes(done.begin(), done.end(), node->after.begin(), node->after.end());
      if (ready && done.insert(node.get()).second) {
        exec.nodes.emplace_back(node.get(), *node);
        progress = true;
      }
    }
  }
  return done.size() == graph.nodes.size();
}

}  // namespace

bool simt::is_captured(cudaStream_t stream) {
  return graph_of(stream) != nullptr;
}

bool simt::end_capture(cudaStream_t stream) {
  const cudaGraph_t graph = graph_of(stream);
  if (graph != nullptr) graph->valid = false;
  return graph != nullptr;
}

bool simt::capture(cudaStream_t stream, cudaGraphNodeType type, GraphWork work) {
  const cudaGraph_t graph = graph_of(stream);
  if (graph == nullptr) return false;
  cudaGraphNode_t node = nullptr;
  const cudaGraphNode_t last = graph->nodes.empty() ? nullptr : graph->nodes.back().get();
  add(&node, graph, &last, last != nullptr, type, std::move(work));
  return true;
}

bool simt::capture_record(cudaEvent_t event, cudaStream_t stream) {
  const cudaGraph_t graph = graph_of(stream);
  captured_events().erase(event);
  if (graph != nullptr) captured_events()[event] = graph;
  return graph != nullptr;
}

bool simt::capture_wait(cudaStream_t stream, cudaEvent_t event) {
  const auto found = captured_events().find(event);
  if (found == captured_events().end()) return false;
  captured_streams()[stream] = found->second;
  return true;
}

cudaError_t simt::capture_launch(const LaunchConfig& config, void (*thread)(void*), void* closure,
                                 void (*destroy)(void*)) {
  const std::shared_ptr<void> owned(closure, destroy);
  LaunchConfig later = config;
  later.stream = nullptr;
  capture(config.stream, cudaGraphNodeTypeKernel,
          [later, thread, owned] { return launch(later, thread, owned.get()); });
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  const bool usable = stream != nullptr && stream != cudaStreamLegacy &&
                      simt::check_stream(stream) == cudaSuccess && !simt::is_captured(stream);
  if (!usable) return remember(cudaErrorStreamCaptureUnsupported);
  const simt::Turn turn;
  static unsigned long long captures = 0;
  const cudaGraph_t graph = new CUgraph_st;
  graph->number = ++captures;
  captured_streams()[stream] = graph;
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  const cudaGraph_t found = graph_of(stream);
  if (graph == nullptr || found == nullptr) return remember(cudaErrorInvalidValue);
  forget(captured_streams(), found);
  forget(captured_events(), found);
  *graph = found->valid ? found : nullptr;
  if (!found->valid) delete found;
  return *graph == nullptr ? remember(cudaErrorStreamCaptureInvalidated) : cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  static thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
  if (mode == nullptr) return simt::remember(cudaErrorInvalidValue);
  std::swap(*mode, current);
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  if (status == nullptr) return remember(cudaErrorInvalidValue);
  const cudaGraph_t graph = graph_of(stream);
  *status = graph == nullptr ? cudaStreamCaptureStatusNone
            : graph->valid   ? cudaStreamCaptureStatusActive
                             : cudaStreamCaptureStatusInvalidated;
  return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* number, cudaGraph_t* graph) {
  const cudaError_t error = cudaStreamIsCapturing(stream, status);
  const cudaGraph_t found = graph_of(stream);
  if (error != cudaSuccess || found == nullptr) return error;
  if (number != nullptr) *number = found->number;
  if (graph != nullptr) *graph = found;
  return cudaSuccess;
}

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  if (graph == nullptr) return remember(cudaErrorInvalidValue);
  *graph = new CUgraph_st;
  return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  CUgraphExec_st sorted;
  if (clone == nullptr || graph == nullptr || !sort(*graph, sorted)) {
    return remember(cudaErrorInvalidValue);
  }
  *clone = new CUgraph_st;
  std::map<cudaGraphNode_t, cudaGraphNode_t> copies;
  for (const auto& [node, copy] : sorted.nodes) {
    (*clone)->nodes.push_back(std::make_shared<CUgraphNode_st>(copy));
    CUgraphNode_st& made = *(*clone)->nodes.back();
    made.after.clear();
    for (const cudaGraphNode_t before : copy.after) made.after.insert(copies[before]);
    copies[node] = &made;
  }
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return graph == nullptr ? remember(cudaErrorInvalidValue) : cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  if (graph == nullptr || count == nullptr) return remember(cudaErrorInvalidValue);
  const size_t all = graph->nodes.size();
  for (size_t i = 0; nodes != nullptr && i < *count; ++i) {
    nodes[i] = i < all ? graph->nodes[i].get() : nullptr;
  }
  *count = nodes == nullptr ? all : std::min(*count, all);
  return cudaSuccess;
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned) {
  if (graph == nullptr || path == nullptr) return remember(cudaErrorInvalidValue);
  const char* const types[] = {"KERNEL", "MEMCPY", "MEMSET", "HOST", "GRAPH", "EMPTY"};
  std::map<cudaGraphNode_t, size_t> numbers;
  for (const auto& node : graph->nodes) numbers.emplace(node.get(), numbers.size());
  std::ofstream file(path);
  file << "digraph dot {\n";
  for (const auto& node : graph->nodes) {
    const size_t number = numbers[node.get()];
    file << "  n" << number << " [shape=\"record\" label=\"" << number << ": " << types[node->type]
         << "\"];\n";
    for (const cudaGraphNode_t before : node->after) {
      file << "  n" << numbers[before] << " -> n" << number << ";\n";
    }
  }
  file << "}\n";
  file.close();
  return file ? cudaSuccess : remember(cudaErrorOperatingSystem);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  if (node == nullptr || type == nullptr) return remember(cudaErrorInvalidValue);
  *type = node->type;
  return cudaSuccess;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* params) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeKernel, kernel_work(params));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* params) {
  if (params == nullptr) return remember(cudaErrorInvalidValue);
  return add(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy,
             [copy = *params] { return cudaMemcpy3DAsync(&copy, nullptr); });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy,
             [=] { return cudaMemcpyAsync(to, from, bytes, kind, nullptr); });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* params) {
  const bool known = params != nullptr && (params->elementSize == 1 || params->elementSize == 2 ||
                                           params->elementSize == 4);
  if (!known) return remember(cudaErrorInvalidValue);
  return add(node, graph, dependencies, count, cudaGraphNodeTypeMemset,
             [copy = *params] { return fill(copy); });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* params) {
  if (params == nullptr) return remember(cudaErrorInvalidValue);
  return add(node, graph, dependencies, count, cudaGraphNodeTypeHost,
             [copy = *params] { return cudaLaunchHostFunc(nullptr, copy.fn, copy.userData); });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child) {
  CUgraphExec_st exec;
  if (child == nullptr || !sort(*child, exec)) return remember(cudaErrorInvalidValue);
  return add(node, graph, dependencies, count, cudaGraphNodeTypeGraph,
             [exec]() mutable { return run(exec.nodes); });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeEmpty, [] { return cudaSuccess; });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
  if (graph == nullptr || (count != 0 && (from == nullptr || to == nullptr))) {
    return remember(cudaErrorInvalidValue);
  }
  for (size_t i = 0; i < count; ++i) to[i]->after.insert(from[i]);
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* params) {
  simt::GraphWork work = kernel_work(params);
  if (node == nullptr || !work) return remember(cudaErrorInvalidValue);
  node->work = std::move(work);
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  if (exec == nullptr || graph == nullptr) return remember(cudaErrorInvalidValue);
  auto made = std::make_unique<CUgraphExec_st>();
  if (!sort(*graph, *made)) return remember(cudaErrorInvalidValue);
  *exec = made.release();
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t*,
                                 char* log, size_t bytes) {
  if (log != nullptr && bytes != 0) *log = 0;
  return cudaGraphInstantiate(exec, graph, 0ull);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(exec, graph, flags);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* params) {
  simt::GraphWork work = kernel_work(params);
  if (exec == nullptr || !work) return remember(cudaErrorInvalidValue);
  for (auto& [original, copy] : exec->nodes) {
    if (original != node) continue;
    copy.work = std::move(work);
    return cudaSuccess;
  }
  return remember(cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result) {
  CUgraphExec_st made;
  if (exec == nullptr || graph == nullptr || result == nullptr || !sort(*graph, made)) {
    return remember(cudaErrorInvalidValue);
  }
  const bool same =
      std::equal(made.nodes.begin(), made.nodes.end(), exec->nodes.begin(), exec->nodes.end(),
                 [](const auto& a, const auto& b) { return a.second.type == b.second.type; });
  *result = {same ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateError, nullptr, nullptr};
  if (!same) return remember(cudaErrorGraphExecUpdateFailure);
  for (size_t i = 0; i < made.nodes.size(); ++i) {
    exec->nodes[i].second.work = made.nodes[i].second.work;
  }
  return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t) {
  return exec == nullptr ? remember(cudaErrorInvalidValue) : cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  if (exec == nullptr || simt::check_stream(stream) != cudaSuccess) {
    return remember(cudaErrorInvalidValue);
  }
  const auto nodes = exec->nodes;
  if (simt::capture(stream, cudaGraphNodeTypeGraph, [nodes]() mutable { return run(nodes); })) {
    return cudaSuccess;
  }
  const simt::Turn turn;
  const simt::StreamOrder::Redirected redirected(stream);
  return run(exec->nodes);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  delete exec;
  return exec == nullptr ? remember(cudaErrorInvalidValue) : cudaSuccess;
}
