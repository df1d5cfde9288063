// Symbols from the program's ELF file.
#include "program/symbols.h"

#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>

extern "C" char __executable_start, etext;

namespace simt {
namespace {

struct Image {
  std::vector<TlsSymbol> tls;
  std::vector<ProgramVariable> variables;
  std::map<uintptr_t, std::pair<size_t, std::string>> functions;  // begin -> size, mangled name
  std::map<std::string, size_t>
      numbers;  // sizes of the arrays that the frontend adds, by demangled name
};

std::string demangle(const std::string& name) {
  if (name.compare(0, 2, "_Z") != 0) {
    return name;  // a C function: "e" would demangle to the type "long double"
  }
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  if (text == nullptr) {
    return name;
  }
  std::string result = text;
  std::free(text);
  for (size_t tag; (tag = result.find("[abi:simt")) != std::string::npos;) {  // our tag
    result.erase(tag, result.find(']', tag) + 1 - tag);
  }
  return result;
}

// Drops the return type and the parameters from a demangled name.
std::string short_name(const std::string& full) {
  int depth = 0;
  size_t begin = 0, end = full.size();
  for (size_t i = 0; i < full.size(); ++i) {
    const char c = full[i];
    if (full.compare(i, 21, "(anonymous namespace)") == 0) {
      i += 20;
      continue;
    }
    depth += c == '<';
    depth -= c == '>' && depth > 0;
    if (depth == 0 && c == ' ') {
      begin = i + 1;
    } else if (depth == 0 && c == '(') {
      end = i;
      break;
    }
  }
  return full.substr(begin, end - begin);
}

int first_object(dl_phdr_info* info, size_t, void* data) {
  *static_cast<dl_phdr_info*>(data) = *info;  // the program itself comes first
  return 1;
}

dl_phdr_info program() {
  dl_phdr_info info{};
  dl_iterate_phdr(first_object, &info);
  return info;
}

std::string last_name(const std::string& name) {
  const size_t colon = name.rfind("::");
  return colon == std::string::npos ? name : name.substr(colon + 2);
}

// Returns the name of the section that holds a symbol.
std::string section_of(const char* file, const Elf64_Sym& symbol) {
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(file);
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(file + header->e_shoff);
  return symbol.st_shndx >= header->e_shnum
             ? ""
             : file + sections[header->e_shstrndx].sh_offset + sections[symbol.st_shndx].sh_name;
}

void read_symbols(const char* file, Image& image) {
  const uintptr_t base = program().dlpi_addr;
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(file);
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(file + header->e_shoff);
  for (unsigned s = 0; s < header->e_shnum; ++s) {
    if (sections[s].sh_type != SHT_SYMTAB) {
      continue;
    }
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(file + sections[s].sh_offset);
    const char* names = file + sections[sections[s].sh_link].sh_offset;
    for (size_t i = 0; i < sections[s].sh_size / sizeof(Elf64_Sym); ++i) {
      const Elf64_Sym& symbol = symbols[i];
      const std::string mangled = names + symbol.st_name;
      if (symbol.st_size == 0) {
        continue;
      }
      if (ELF64_ST_TYPE(symbol.st_info) == STT_TLS && symbol.st_shndx != SHN_UNDEF) {
        image.tls.push_back({symbol.st_value,
                             symbol.st_size,
                             demangle(mangled),
                             false,
                             mangled.compare(0, 4, "_ZGV") == 0 || mangled == "__tls_guard",
                             128,
                             std::nullopt,
                             {}});
      } else if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC) {
        image.functions[base + symbol.st_value] = {symbol.st_size, mangled};
      } else if (mangled.find("simt_align_") != std::string::npos ||
                 mangled.find("simt_order_") != std::string::npos ||
                 mangled.find("simt_unplaced_") != std::string::npos ||
                 mangled.find("simt_stride") != std::string::npos ||
                 mangled.find("simt_padding_") != std::string::npos ||
                 mangled.find("simt_bounds") != std::string::npos ||
                 mangled.find("simt_flat") != std::string::npos ||
                 mangled.find("simt_cluster_") != std::string::npos) {
        image.numbers[demangle(mangled)] = symbol.st_size;
      } else if (ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT &&
                 section_of(file, symbol).compare(0, 5, "simt_") == 0) {
        const std::string name = demangle(mangled);
        if (name.compare(0, 6, "simt::") != 0) {
          image.variables.push_back({base + symbol.st_value, symbol.st_size, last_name(name)});
        }
      }
    }
  }
}

// Returns the size of the array PREFIX_NAME that the frontend has added for an array; 0 if there is none.
size_t number_of(const Image& image, const TlsSymbol& symbol, const std::string& prefix) {
  const size_t colon = symbol.name.rfind("::");
  const size_t at = colon == std::string::npos ? 0 : colon + 2;
  const auto found = image.numbers.find(std::string(symbol.name).insert(at, prefix));
  return found == image.numbers.end() ? 0 : found->second;
}

// The name of a variable's function; "" at file scope.
std::string scope_of(const std::string& name) {
  const size_t colon = name.rfind("::");
  return name.substr(0, colon == std::string::npos ? 0 : colon);
}

// Tells __shared__ arrays from other thread_local variables. The frontend has numbered them, or has marked their scope.
void find_shared(Image& image) {
  static const std::set<std::string> builtins = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
  std::set<std::string> unplaced;
  for (const auto& [name, number] : image.numbers) {
    if (name.find("simt_unplaced_") != std::string::npos) unplaced.insert(scope_of(name));
  }
  for (TlsSymbol& symbol : image.tls) {
    symbol.shared = number_of(image, symbol, "simt_order_") != 0 ||
                    (unplaced.count(scope_of(symbol.name)) != 0 && !symbol.guard &&
                     builtins.count(symbol.name) == 0);
  }
}

// nvcc places the arrays of a kernel one after the other, in the order of their declarations. Each begins at the next
// multiple of its alignment. Arrays of other functions, and those at file scope, come before the kernel's or behind
// them, so each function is packed by itself here. If one array of a function has no number, all offsets of the
// function stay unknown.
void pack(Image& image) {
  std::map<std::string, std::multimap<size_t, TlsSymbol*>> functions;  // by order
  for (TlsSymbol& symbol : image.tls) {
    if (symbol.shared) {
      functions[scope_of(symbol.name)].insert({number_of(image, symbol, "simt_order_"), &symbol});
    }
  }
  for (auto& [function, arrays] : functions) {
    if (arrays.count(0) != 0) continue;
    size_t end = 0;
    for (auto& [order, array] : arrays) {
      const size_t begin = (end + array->alignment - 1) / array->alignment * array->alignment;
      array->packed = begin;
      end = begin + array->size;
    }
  }
}

void read_numbers(Image& image) {
  for (TlsSymbol& symbol : image.tls) {
    const size_t alignment = number_of(image, symbol, "simt_align_");
    symbol.alignment = alignment == 0 ? symbol.alignment : alignment;
    symbol.padding = unsigned(std::max<size_t>(number_of(image, symbol, "simt_padding_"), 1) - 1);
    for (int d = 0;; ++d) {
      const size_t stride = number_of(image, symbol, "simt_stride" + std::to_string(d) + "_");
      if (stride == 0) break;
      symbol.strides.push_back(stride);
    }
  }
  find_shared(image);
  pack(image);
  std::sort(image.tls.begin(), image.tls.end(),
            [](const TlsSymbol& a, const TlsSymbol& b) { return a.offset < b.offset; });
}

Image read_image() {
  Image image;
  const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) {
    return image;
  }
  void* memory = mmap(nullptr, size_t(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (memory != MAP_FAILED) {
    read_symbols(static_cast<const char*>(memory), image);
    read_numbers(image);
    munmap(memory, size_t(status.st_size));
  }
  return image;
}

const Image& image() {
  static const Image image = read_image();
  return image;
}

}  // namespace

const char* text_begin() {
  return &__executable_start;
}

size_t text_size() {
  return size_t(&etext - &__executable_start);
}

bool is_code(const void* address) {
  const auto holds = [](dl_phdr_info* info, size_t, void* wanted) {
    for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
      const Elf64_Phdr& part = info->dlpi_phdr[i];
      const bool code = part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0;
      const uintptr_t at = reinterpret_cast<uintptr_t>(wanted) - (info->dlpi_addr + part.p_vaddr);
      if (code && at < part.p_memsz) return 1;
    }
    return 0;
  };
  return dl_iterate_phdr(holds, const_cast<void*>(address)) != 0;
}

bool is_constant(uintptr_t address) {
  const dl_phdr_info info = program();
  for (unsigned i = 0; i < info.dlpi_phnum; ++i) {
    const Elf64_Phdr& part = info.dlpi_phdr[i];
    const bool fixed = (part.p_type == PT_LOAD && (part.p_flags & PF_W) == 0) ||
                       part.p_type == PT_GNU_RELRO;  // tables of virtual functions
    if (fixed && address - (info.dlpi_addr + part.p_vaddr) < part.p_memsz) {
      return true;
    }
  }
  return false;
}

uintptr_t tls_begin() {
  return reinterpret_cast<uintptr_t>(program().dlpi_tls_data);
}

size_t tls_size() {
  const dl_phdr_info info = program();
  for (unsigned i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type == PT_TLS) {
      return info.dlpi_phdr[i].p_memsz;
    }
  }
  return 0;
}

const std::vector<TlsSymbol>& tls_symbols() {
  return image().tls;
}

const TlsSymbol* shared_symbol(uint64_t offset) {
  for (const TlsSymbol& symbol : tls_symbols()) {
    if (symbol.shared && offset - symbol.offset < symbol.size) {
      return &symbol;
    }
  }
  return nullptr;
}

bool is_padding(uint64_t offset, unsigned bytes) {
  const TlsSymbol* const symbol = shared_symbol(offset);
  if (symbol == nullptr || symbol->padding == 0) return false;
  const size_t element = symbol->strides.empty() ? symbol->size : symbol->strides.back();
  const unsigned all = (1u << bytes) - 1;
  return (symbol->padding >> (offset - symbol->offset) % element & all) == all;
}

std::string shared_array(uint64_t offset) {
  const TlsSymbol* const symbol = shared_symbol(offset);
  return symbol != nullptr ? last_name(symbol->name) : "dynamic shared memory";
}

const std::vector<ProgramVariable>& device_variables() {
  return image().variables;
}

KernelLimits limits_of(const void* kernel) {
  static std::map<const void*, KernelLimits> known;
  const auto before = known.find(kernel);
  if (before != known.end()) {
    return before->second;
  }
  KernelLimits& limits = known[kernel];
  const auto found = image().functions.find(reinterpret_cast<uintptr_t>(kernel));
  if (found == image().functions.end()) {
    return limits;
  }
  // A static variable of a function is named FUNCTION::NAME, without the return type.
  const std::string full = demangle(found->second.second);
  const std::string name = full.substr(full.compare(0, 5, "void ") == 0 ? 5 : 0);
  const auto read = [&](const char* number, unsigned& to) {
    for (const std::string& prefix : {name + "::", full + "::"}) {
      const auto at = image().numbers.find(prefix + number);
      to = at != image().numbers.end() ? unsigned(at->second) : to;
    }
  };
  read("simt_bounds", limits.most_threads);
  read("simt_flat", limits.dimensions);
  read("simt_cluster_x", limits.cluster.x);
  read("simt_cluster_y", limits.cluster.y);
  read("simt_cluster_z", limits.cluster.z);
  for (const TlsSymbol& symbol : tls_symbols()) {
    const size_t colon = symbol.name.rfind("::");
    const std::string prefix = symbol.name.substr(0, colon == std::string::npos ? 0 : colon);
    limits.static_shared += symbol.shared && (prefix == name || prefix == full) ? symbol.size : 0;
  }
  return limits;
}

Function function_at(const void* address) {
  const uintptr_t at = reinterpret_cast<uintptr_t>(address);
  const auto& functions = image().functions;
  auto next = functions.upper_bound(at);
  Function function;
  if (next != functions.begin()) {
    --next;
    if (at < next->first + next->second.first) {
      function.begin = reinterpret_cast<const char*>(next->first);
      function.size = next->second.first;
      function.name = short_name(demangle(next->second.second));
    }
  }
  return function;
}

}  // namespace simt
